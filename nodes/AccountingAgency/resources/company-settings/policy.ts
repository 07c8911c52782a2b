import { AgencyError } from '../../../shared/api/errors/agency-error';
import { isRecord } from '../../../shared/values/json';
import type { Schemas } from '../../../shared/api/routes';
import { trueOrFalse } from '../../../shared/values/booleans';
import { choice, isEmpty, requiredText, wholeNumber } from '../../../shared/values/text';
import type { Item } from '../../engine/item';
import { CATALOG_KINDS, DEFAULT_VALUES, KEEP, POLICY, POLICY_ROWS } from './policy-fields';

type PolicyField = Schemas['PolicyField'];

/** What an item sets of one policy field; what is absent stays as it is. */
export type PolicyChange = Partial<Omit<PolicyField, 'field'>>;

/** What an item sets, by the names of the policy fields. */
export type PolicyChanges = Partial<Record<PolicyField['field'], PolicyChange>>;

/**
 * Reads the five rows of the form.
 *
 * @throws InputError for values that cannot be used
 */
export function policyChanges(item: Item): PolicyChanges {
  const rows = item.value(POLICY);
  const changes: PolicyChanges = {};
  for (const { field, label } of POLICY_ROWS) {
    const row = isRecord(rows) ? rows[field] : undefined;
    const change = isRecord(row) ? policyChange(label, row) : {};
    if (Object.keys(change).length > 0) changes[field] = change;
  }
  return changes;
}

function policyChange(label: string, row: Record<string, unknown>): PolicyChange {
  const change: PolicyChange = {};
  if (isSet(row.required)) change.required = trueOrFalse(`${label}: Required`, row.required);
  if (isSet(row.automatic)) change.automatic = trueOrFalse(`${label}: Automatic`, row.automatic);
  if (isSet(row.defaultValue)) change.defaultValue = defaultValue(label, row);
  return change;
}

const isSet = (value: unknown): boolean => !isEmpty(value) && value !== KEEP;

function defaultValue(label: string, row: Record<string, unknown>): Schemas['CatalogValue'] | null {
  if (choice(`${label}: Default Value`, row.defaultValue, DEFAULT_VALUES) === 'none') return null;
  const text = (name: string, value: unknown) =>
    requiredText(`${label}: ${name}`, value, Number.POSITIVE_INFINITY);
  return {
    kind: choice(`${label}: Kind`, row.kind, CATALOG_KINDS),
    catalogEntryId: entryId(`${label}: Catalog Entry ID`, row.catalogEntryId),
    code: text('Code', row.code),
    label: text('Label', row.label),
  };
}

/** The form has 0 for an entry that was not given; no entry has that ID. */
function entryId(field: string, value: unknown): number {
  const given = requiredText(field, value === 0 ? '' : value, Number.POSITIVE_INFINITY);
  return wholeNumber(field, given, 1, Number.MAX_SAFE_INTEGER);
}

/** Whether the current policy is needed to send all five fields. */
export function isPartOfPolicy(changes: PolicyChanges): boolean {
  const set = Object.values(changes);
  const whole = POLICY_ROWS.every(({ field }) => Object.keys(changes[field] ?? {}).length === 3);
  return set.length > 0 && !whole;
}

/**
 * The five policy fields to send: what the item sets, the rest as it is now.
 *
 * @param current the policy of now; not needed when the item sets everything
 * @throws AgencyError when the current policy lacks a field that the item leaves as it is
 */
export function wholePolicy(changes: PolicyChanges, current: PolicyField[]): PolicyField[] {
  return POLICY_ROWS.map(({ field, label }) => {
    const now = current.find((one) => isRecord(one) && one.field === field);
    const { required = now?.required, automatic = now?.automatic } = changes[field] ?? {};
    const { defaultValue: value = now?.defaultValue } = changes[field] ?? {};
    if (required === undefined || automatic === undefined || value === undefined) {
      throw new AgencyError(
        `The company has no policy field "${field}", so it cannot be kept as it is.`,
        `Set Required, Automatic and Default Value of ${label}, or contact the agency's support.`,
      );
    }
    return { field, required, automatic, defaultValue: catalogValue(value) };
  });
}

/** An update takes no fields but those of the spec, and the settings of now may have others. */
function catalogValue(value: Schemas['CatalogValue'] | null): Schemas['CatalogValue'] | null {
  if (value === null) return null;
  const { kind, catalogEntryId, code, label } = value;
  return { kind, catalogEntryId, code, label };
}
