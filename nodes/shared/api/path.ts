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

const RECORDS: Record<string, string> = {
  companies: 'company',
  documents: 'document',
  files: 'file',
  tasks: 'task',
  'webhook-endpoints': 'webhook endpoint',
};

/**
 * The record that a path is about, in words, e.g. `company "cmp_1"`; `undefined` for a list.
 *
 * @param made a path of the tag `path`
 */
export function recordOf(made: string): string | undefined {
  const [, collection = '', id] = made.split('/');
  const record = Object.hasOwn(RECORDS, collection) ? RECORDS[collection] : undefined;
  return record === undefined || id === undefined ? undefined : `${record} "${decodeURIComponent(id)}"`;
}

function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new InputError('ID', `must not be "${value}".`, 'Give the ID as the agency shows it.');
  }
  return encodeURIComponent(value);
}
