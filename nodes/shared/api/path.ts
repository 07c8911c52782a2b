import { InputError } from '../input-error';
import type { Route } from './routes';

/**
 * The path of a request: the template with its values, each encoded, so that an id can never leave its place.
 *
 * @param template e.g. `/companies/{id}/settings`
 * @throws InputError for values that URL parsers take for a step in the path (empty, `.` and `..`)
 */
export function filledPath(template: string, values: Record<string, string> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(values[name] ?? ''));
}

const RECORDS: Record<string, string> = {
  companies: 'company',
  documents: 'document',
  files: 'file',
  tasks: 'task',
  'webhook-endpoints': 'webhook endpoint',
};

/** The record that a request is about, in words, e.g. `company "cmp_1"`; `undefined` for a list. */
export function recordOf(route: Route, id: string | undefined): string | undefined {
  const [, collection = ''] = route.split('/');
  const record = Object.hasOwn(RECORDS, collection) ? RECORDS[collection] : undefined;
  return record === undefined || id === undefined ? undefined : `${record} "${id}"`;
}

function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new InputError('ID', `must not be "${value}".`, 'Enter the ID as the agency shows it.');
  }
  return encodeURIComponent(value);
}
