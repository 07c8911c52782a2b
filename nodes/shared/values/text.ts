import type { INodePropertyOptions } from 'n8n-workflow';
import { InputError } from '../input-error';
import { given, howToGiveOne } from './describe-value';
import { parsedJson } from './json';

/** Spec: Limits, id parameters. */
const LONGEST_ID = 200;

/** What a text has in place of an object or a wrong date that an expression puts into it; nobody means to write it. */
const NO_TEXT = /\[object Object\]|Invalid DateTime|^Invalid Date$/;

/** Whether a field was left empty. `0` and `false` are values. */
export function isEmpty(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Whether a number is exactly what it was written as: JavaScript rounds whole ones of more than 15 digits. */
export function isExact(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}

/**
 * A text of the form, without spaces around it. Numbers are taken as their digits.
 *
 * @param most the largest number of characters, counted as the API counts them (UTF-16 units are not characters)
 * @throws InputError when it is empty, too long, or no text
 */
export function requiredText(field: string, value: unknown, most: number): string {
  if (isEmpty(value))
    throw new InputError(field, 'is empty.', `Enter ${field}, or an expression that returns it.`);
  if (typeof value !== 'string' && !(typeof value === 'number' && isExact(value))) {
    const resolution = Number.isInteger(value)
      ? 'A number this long is not exact: pass it as text, in quotes.'
      : howToGiveOne(value);
    throw new InputError(
      field,
      `must be text, not ${given(value)}.`,
      `Check the expression of this field. ${resolution}`.trim(),
    );
  }
  return withinLength(field, String(value).trim(), most);
}

/** Like `requiredText`, but `undefined` for a field that was left empty. */
export function optionalText(field: string, value: unknown, most: number): string | undefined {
  return isEmpty(value) ? undefined : requiredText(field, value, most);
}

/**
 * @returns the text as it is
 * @throws InputError when it has more characters than `most`, half a character, or what stands for a value that is no text
 */
export function withinLength(field: string, text: string, most: number): string {
  if (hasHalfCharacter(text)) {
    throw new InputError(
      field,
      'contains half of a character, such as half of an emoji.',
      'The text was cut in the middle of a character. Enter it again.',
    );
  }
  const [noText] = NO_TEXT.exec(text) ?? [];
  if (noText !== undefined) {
    throw new InputError(
      field,
      `contains "${noText}", which means that a value is not text.`,
      'Correct the expression. For an object, use one of its fields, e.g. {{ $json.from.text }}.',
    );
  }
  const { length } = [...text];
  if (length <= most) return text;
  throw new InputError(field, `has ${length} characters, but only ${most} are allowed.`, 'Shorten it.');
}

/** Whether a text holds one half of a surrogate pair, which no address and no file name can carry. */
export function hasHalfCharacter(text: string): boolean {
  return /\p{Cs}/u.test(text);
}

/** A text without spaces and invisible marks around it, which come with what is copied, e.g. from an email. */
export function withoutMarks(text: string): string {
  return text.replace(/^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu, '');
}

/** An id as the agency shows it; stray spaces and marks are dropped (spec: Limits, 1 to 200 characters). */
export function requiredId(field: string, value: unknown): string {
  return requiredText(field, typeof value === 'string' ? withoutMarks(value) : value, LONGEST_ID);
}

/** Like `requiredId`, but `undefined` for a field that was left empty. */
export function optionalId(field: string, value: unknown): string | undefined {
  return isEmpty(value) ? undefined : requiredId(field, value);
}

/**
 * One of the values that the API knows.
 *
 * @throws InputError that names the allowed values
 */
export function choice<T extends string>(field: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === (typeof value === 'string' ? value.trim() : value));
  if (found !== undefined) return found;
  throw new InputError(
    field,
    `cannot be ${given(value)}.`,
    `Use one of: ${allowed.join(', ')}. ${howToGiveOne(value)}`.trim(),
  );
}

/** The options of a field with the API's values `T`, in the order in which the editor shows them. */
export type Choices<T extends string> = Array<INodePropertyOptions & { value: T }>;

/** The values of a field's options, for `choice`. */
export function valuesOf<T extends string>(choices: Choices<T>): T[] {
  return choices.map(({ value }) => value);
}

/** Reads the value of a field with these options, see `choice`. */
export function oneOf<T extends string>(choices: Choices<T>): (label: string, value: unknown) => T {
  return (label, value) => choice(label, value, valuesOf(choices));
}

/**
 * A whole number within bounds.
 *
 * @throws InputError that names the bounds
 */
export function wholeNumber(field: string, value: unknown, least: number, most: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most)
    return number;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new InputError(
    field,
    `must be a whole number ${bounds}, not ${given(value)}.`,
    `Correct the number. ${howToGiveOne(value)}`.trim(),
  );
}

/**
 * Several texts: an array, a text with commas, or a JSON array as text.
 *
 * @throws InputError when it holds anything but texts and numbers
 */
export function parseStringList(field: string, value: unknown): string[] {
  const entries = Array.isArray(value) ? value : isEmpty(value) ? [] : splitText(field, value);
  return entries
    .filter((entry) => !isEmpty(entry))
    .map((entry) => requiredText(field, entry, Number.POSITIVE_INFINITY));
}

function splitText(field: string, value: unknown): unknown[] {
  if (typeof value !== 'string' || !value.trim().startsWith('[')) {
    return typeof value === 'string' ? value.split(',') : [value];
  }
  const list = parsedJson(value);
  if (Array.isArray(list)) return list;
  throw new InputError(
    field,
    'starts like a JSON list, but is not valid JSON.',
    'Write it as ["a", "b"], or as a, b.',
  );
}
