import { InputError } from '../input-error';
import { isEmpty } from './text';

/** How one field of an update form becomes a value of the API. */
export interface ChangeRule {
  /** Name of the field in the form and in the API. */
  name: string;
  /** The field as the user sees it. */
  label: string;
  /** Whether the API takes `null` here, which clears the field. */
  clearable: boolean;
  /**
   * Reads a value that is not empty.
   *
   * @param timeZone of the workflow
   * @throws InputError for values that cannot be used
   */
  read: (label: string, value: unknown, timeZone: string) => unknown;
}

/** The circumstances under which a form was filled in. */
export interface FormContext {
  timeZone: string;
  /** Whether a language model filled in this field; what it left empty is no change. */
  filledByModel: (name: string) => boolean;
}

/**
 * What an update form changes. A field that was not added is not sent; an empty value of an added field is sent as
 * `null`, which clears it; `0` and `false` are values.
 *
 * @param added the fields that were added to the form, by name
 * @throws InputError for a value that cannot be used, and for an empty one where the API takes no `null`
 */
export function changesOf(
  rules: ChangeRule[],
  added: Record<string, unknown>,
  { timeZone, filledByModel }: FormContext,
): Record<string, unknown> {
  const entries = rules
    .filter(({ name }) => Object.hasOwn(added, name))
    .filter(({ name }) => !(isEmpty(added[name]) && filledByModel(name)))
    .map((rule): [string, unknown] => [rule.name, changed(rule, added[rule.name], timeZone)]);
  return Object.fromEntries(entries);
}

function changed({ label, clearable, read }: ChangeRule, value: unknown, timeZone: string): unknown {
  if (!isEmpty(value)) return read(label, value, timeZone);
  if (clearable) return null;
  throw new InputError(label, 'is empty.', 'Enter a value, or remove the field to keep its value.');
}

/**
 * Refuses a form that changes nothing.
 *
 * @param where the part of the form in which fields are added
 * @throws InputError when there is no change
 */
export function requireChange(where: string, changes: object): void {
  if (Object.keys(changes).length > 0) return;
  throw new InputError(where, 'is empty.', 'Add at least one field to change.');
}
