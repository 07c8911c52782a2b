import type { INodePropertyOptions } from 'n8n-workflow';
import { choice } from '../../shared/values/text';

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
