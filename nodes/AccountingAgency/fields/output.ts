import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InputError } from '../../shared/input-error';
import { choice, type Choices, oneOf, parseStringList } from '../../shared/values/text';
import { companyNameOf } from '../engine/company';
import type { Item } from '../engine/item';
import type { OutputItem } from '../engine/operation';
import type { RecordView } from './record-views';

const OUTPUT = 'Output';
const FIELDS = 'Fields';

const MODES: Choices<'simplified' | 'all' | 'selected'> = [
  { name: 'All Fields', value: 'all', description: 'The whole record as the agency returns it' },
  { name: 'Selected Fields', value: 'selected', description: 'Only the fields that you select' },
  { name: 'Simplified', value: 'simplified', description: 'The most commonly used fields, up to ten' },
];

/** The names of the records' fields that a user can select, what people read first. */
const fieldsOf = ({ simplified, more }: RecordView<never>): string[] => [...simplified, ...more];

/** The two fields by which a user chooses what is output of a record. */
export function outputFields(view: RecordView<never>): INodeProperties[] {
  return [
    {
      displayName: OUTPUT,
      name: 'output',
      type: 'options',
      options: MODES,
      default: 'simplified',
      description: 'Which fields of each record to output',
    },
    {
      displayName: FIELDS,
      name: 'fields',
      type: 'multiOptions',
      displayOptions: { show: { output: ['selected'] } },
      options: fieldsOf(view)
        .map((value) => ({ name: labelOf(value), value }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      default: [],
      description: 'Fields to output. Fields that an update has changed are always included.',
    },
  ];
}

const WORDS: Record<string, string> = {
  Id: 'ID',
  Of: 'of',
  Vat: 'VAT',
  Mcp: 'MCP',
  Mime: 'MIME',
  Url: 'URL',
  Xml: 'XML',
  Sha256: 'SHA-256',
};

/** `vatCode` as "VAT Code". */
function labelOf(field: string): string {
  const words = field.replace(/(?=[A-Z])/g, ' ').split(' ');
  return words
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .map((word) => WORDS[word] ?? word)
    .join(' ');
}

/**
 * Makes sure that an item's choice of output can be used: a write would be done before its output is made.
 *
 * @throws InputError for an output or a field that does not exist
 */
export function checkOutput(item: Item, fields: INodeProperties[]): void {
  const field = fields.find(({ name, type }) => name === 'fields' && type === 'multiOptions');
  if (field === undefined) return;
  if (modeOf(item) !== 'selected') return;
  const known = (field.options ?? []).flatMap((option) => ('value' in option ? [String(option.value)] : []));
  for (const name of selectedBy(item)) choice(FIELDS, name, known);
}

const modeOf = (item: Item) => oneOf(MODES)(OUTPUT, item.value('output'));

function selectedBy(item: Item): string[] {
  const selected = parseStringList(FIELDS, item.value('fields'));
  if (selected.length > 0) return selected;
  throw new InputError(FIELDS, 'is empty.', 'Select at least one field, or set Output to Simplified.');
}

/**
 * What makes an output item of a record, with the fields that the item asks for: these are read once, not for each row of
 * a list.
 *
 * @param changed names of fields that are always part of the output
 */
export function outputMaker<T extends object>(
  item: Item,
  view: RecordView<T>,
  changed: string[] = [],
): (record: T) => OutputItem {
  const mode = modeOf(item);
  const chosen = [...(mode === 'selected' ? selectedBy(item) : view.simplified), ...changed];
  const names = fieldsOf(view).filter((name) => chosen.includes(name));
  return (record) => {
    const company = companyNameOf(item, record);
    return { json: mode === 'all' ? { ...company, ...record } : picked(record, view, names, company) };
  };
}

/** The output item of one record, see `outputMaker`. */
export function output<T extends object>(
  item: Item,
  record: T,
  view: RecordView<T>,
  changed: string[] = [],
): OutputItem {
  return outputMaker(item, view, changed)(record);
}

/**
 * The fields of a record with these names, in their order.
 *
 * @param added fields that count as the record's, unless it has them itself
 */
export function picked<T extends object>(
  record: T,
  view: RecordView<T>,
  names: string[],
  added: IDataObject = {},
): IDataObject {
  const values: IDataObject = { ...added, ...record, ...view.flat?.(record) };
  const json: IDataObject = {};
  for (const name of names) if (name in values) json[name] = values[name];
  return json;
}
