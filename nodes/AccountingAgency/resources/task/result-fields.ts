import type { INodeProperties } from 'n8n-workflow';
import { isRecord, parsedJson } from '../../../shared/values/json';
import { InputError } from '../../../shared/input-error';
import { given } from '../../../shared/values/describe-value';
import { choice, isEmpty, isExact, requiredText, withinLength } from '../../../shared/values/text';
import type { Item } from '../../engine/item';

const MODE = 'Specify Other Fields';
const LIST = 'Other Fields';
const JSON_FIELD = 'Other Fields (JSON)';

/** The fields of a result besides its status: which ones, the task's template says, and the API does not tell. */
export const otherFields: INodeProperties[] = [
  {
    displayName: MODE,
    name: 'otherFieldsMode',
    type: 'options',
    options: [
      {
        name: 'Using Fields Below',
        value: 'list',
        description: 'A row for each field, with its name and value',
      },
      { name: 'Using JSON', value: 'json', description: 'A JSON object with all fields' },
    ],
    default: 'list',
    description: "How to enter the other fields that the task's template expects",
  },
  {
    displayName: LIST,
    name: 'otherFields',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field' },
    displayOptions: { show: { otherFieldsMode: ['list'] } },
    default: {},
    placeholder: 'Add field',
    description:
      'Other fields that the task\'s template expects. The list of rows cannot be an expression: select "Using JSON" to set all fields with an expression.',
    options: [
      {
        displayName: 'Fields',
        name: 'values',
        values: [
          {
            displayName: 'Name',
            name: 'name',
            type: 'string',
            default: '',
            placeholder: 'e.g. comment',
            description: "Name of the field in the task's template",
          },
          {
            displayName: 'Value',
            name: 'value',
            type: 'string',
            default: '',
            placeholder: 'e.g. All invoices are there',
            description: 'Sent as text. Use an expression for a number, true or false, a list or an object.',
          },
        ],
      },
    ],
  },
  {
    displayName: JSON_FIELD,
    name: 'otherFieldsJson',
    type: 'json',
    displayOptions: { show: { otherFieldsMode: ['json'] } },
    default: '{}',
    placeholder: 'e.g. { "comment": "All invoices are there" }',
    description: "A JSON object with the other fields that the task's template expects",
  },
];

/**
 * The other fields of a result.
 *
 * @throws InputError for what is no object, a field without a name, one that comes twice, and `status`
 */
export function otherFieldsOf(item: Item): Record<string, unknown> {
  const mode = choice(MODE, item.value('otherFieldsMode') ?? 'list', ['list', 'json']);
  if (mode === 'json') return fromJson(item.value('otherFieldsJson'));
  const rows = item.value('otherFields.values');
  const entries = (Array.isArray(rows) ? rows : []).map(fromRow);
  for (const [index, [name]] of entries.entries()) {
    if (entries.findIndex(([other]) => other === name) !== index) {
      throw new InputError(LIST, `contain "${name}" twice.`, 'Remove one of the two.');
    }
  }
  return withoutStatus(LIST, Object.fromEntries(entries));
}

function fromRow(row: unknown, index: number): [string, unknown] {
  const { name, value = '' } = isRecord(row) ? row : {};
  const field = `Name of ${LIST} ${index + 1}`;
  if (isEmpty(name)) {
    throw new InputError(
      field,
      'is empty.',
      'Enter the name of the field. The list of rows cannot be an expression: to set all fields with an expression, select "Using JSON".',
    );
  }
  return [requiredText(field, name, Number.POSITIVE_INFINITY), value];
}

function fromJson(value: unknown): Record<string, unknown> {
  const entered = isEmpty(value) ? {} : value;
  const parsed = typeof entered === 'string' ? parsedJson(entered) : entered;
  if (isPlain(parsed)) return withoutStatus(JSON_FIELD, parsed);
  throw new InputError(
    JSON_FIELD,
    `must be a JSON object, not ${given(parsed ?? value)}.`,
    'Write it as { "name": "value" }.',
  );
}

/**
 * @throws InputError for a value that would arrive as another one, or not at all, and for half a character anywhere: a
 * result cannot be corrected later
 */
function checkJson(field: string, fields: Record<string, unknown>): void {
  const check = function (this: Record<string, unknown>, name: string, value: unknown) {
    for (const text of [name, value]) {
      if (typeof text === 'string') withinLength(field, text, Number.POSITIVE_INFINITY);
    }
    // What was given becomes `null` here when it has a form of its own for JSON, but an invalid one, e.g. a date.
    if (!isJson(value) || (value === null && this[name] !== null)) throw cannotBeSent(field, name);
    return value;
  };
  try {
    JSON.stringify(fields, check);
  } catch (thrown) {
    throw thrown instanceof InputError ? thrown : cannotBeSent(field);
  }
}

const isJson = (value: unknown): boolean =>
  typeof value === 'number'
    ? isExact(value)
    : value === null ||
      ['string', 'boolean'].includes(typeof value) ||
      Array.isArray(value) ||
      isPlain(value);

/** Whether a value is an object of fields, and not a date, a map and the like. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) &&
  Object.prototype.toString.call(value) === '[object Object]' &&
  typeof value.toJSON !== 'function';

const cannotBeSent = (field: string, name = ''): InputError =>
  new InputError(
    field,
    `contain a value that cannot be sent as JSON${name === '' ? '' : `, in "${name}"`}.`,
    'Use text, numbers of up to 15 digits, true, false, null, and lists and objects of these. Check for expressions that return nothing.',
  );

function withoutStatus(field: string, fields: Record<string, unknown>): Record<string, unknown> {
  checkJson(field, fields);
  if (!Object.keys(fields).some((name) => name.trim() === 'status')) return fields;
  throw new InputError(field, 'must not contain "status".', 'Enter it in the field Status instead.');
}
