import { InputError } from '../input-error';
import { given, howToGiveOne } from './describe-value';
import { isEmpty } from './text';

/**
 * A yes or no of the form; expressions may give it as text.
 *
 * @throws InputError for anything but `true`, `false` and these words
 */
export function trueOrFalse(field: string, value: unknown): boolean {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  throw new InputError(
    field,
    `must be true or false, not ${given(value)}.`,
    `Turn it on or off, or use an expression that returns true or false. ${howToGiveOne(value)}`.trim(),
  );
}

/** Like `trueOrFalse`, but `false` for a field that was left empty or not added. */
export function isOn(field: string, value: unknown): boolean {
  return !isEmpty(value) && trueOrFalse(field, value);
}
