import { InputError } from '../input-error';

/**
 * Tag for paths of the API: encodes each value, so that an id can never leave its place in the path.
 *
 * @example path`/companies/${id}/settings`
 * @throws InputError for values that URL parsers take for a step in the path (empty, `.` and `..`)
 */
export function path(fixed: TemplateStringsArray, ...values: string[]): string {
  return fixed.reduce((made, part, index) => made + encodeSegment(values[index - 1] ?? '') + part);
}

function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new InputError('ID', `must not be "${value}".`, 'Give the ID as the agency shows it.');
  }
  return encodeURIComponent(value);
}
