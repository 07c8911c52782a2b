import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';
import { isRecord } from '../../shared/values/json';
import { InputError } from '../../shared/input-error';
import { isEmpty } from '../../shared/values/text';
import { approvalIdOption, isHandedOn } from '../fields/approval';
import { optionsField } from '../../shared/fields/options-field';
import { isFromModel, type Item } from './item';
import type { Operation } from './operation';

/** A field, or what is nested in one. */
type Field = INodeProperties | INodePropertyOptions | INodePropertyCollection;

const CHECK_THE_NAMES = 'Check the names of the fields in the expression, including upper and lower case.';

/** Fields that protect the user: for them an expression must give a value, and `null` or an empty text is none. */
const SAFETY_FIELDS = ['dryRun', 'idempotencyKey', 'approvalId'];

/**
 * Refuses expressions that give nothing for an item, before anything is sent: taken as empty, a typo would clear a
 * field, or switch a protection off. `null` and an empty text are values. Filters check their own.
 *
 * @throws InputError that names the field
 */
export function refuseMissingValues(item: Item, { fields, options = [] }: Operation): void {
  const checkField = (field: INodeProperties) => {
    check(field, item.saved(field.name), item.value(field.name));
  };
  for (const field of fields) {
    if (field.name !== 'filters' && item.hasExpression(field.name)) checkField(field);
  }
  if (!item.hasExpression('options')) return;
  checkField(optionsField(options.filter((one) => one !== approvalIdOption || !isHandedOn(item))));
}

function check(field: Field, saved: unknown, value: unknown, label = labelOf(field)): void {
  if (isResourceLocatorValue(saved)) {
    check(field, saved.value, isResourceLocatorValue(value) ? value.value : value, label);
  } else if (typeof saved === 'string') {
    if (isMissing(field.name, saved, value)) throw missingValue(label, CHECK_THE_NAMES);
  } else if (Array.isArray(saved)) {
    const rows = Array.isArray(value) ? value : [];
    for (const [index, row] of saved.entries()) check(field, row, rows[index], `${label} ${index + 1}`);
  } else if (isRecord(saved)) {
    const given = isRecord(value) ? value : {};
    for (const child of childrenOf(field)) {
      // The rows of a fixed collection are told apart by its group; the entries of a collection by their own name.
      const name = 'values' in field ? `${label}: ${labelOf(child)}` : labelOf(child);
      check(child, saved[child.name], given[child.name], name);
    }
  }
}

function isMissing(name: string, saved: string, value: unknown): boolean {
  if (!saved.startsWith('=') || isEmpty(saved.slice(1))) return false;
  // What a language model leaves out stays as it is.
  if (isFromModel(saved)) return false;
  return SAFETY_FIELDS.includes(name) ? isEmpty(value) : value === undefined;
}

function childrenOf(field: Field): Field[] {
  if ('values' in field) return field.values;
  return 'options' in field ? (field.options ?? []) : [];
}

const labelOf = (field: Field): string => ('displayName' in field ? field.displayName : field.name);

/** The error of an expression that gives nothing. */
export function missingValue(label: string, resolution: string): InputError {
  return new InputError(label, 'is an expression that returns nothing for this item.', resolution);
}
