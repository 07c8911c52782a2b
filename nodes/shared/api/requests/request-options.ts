import type { IHttpRequestOptions } from 'n8n-workflow';
import { InputError } from '../../input-error';
import { API_PATH } from '../credential';
import type { Route } from '../routes';
import type { ByteStream, FileBody } from './streams';

const JSON_TIMEOUT_MS = 60_000;
const LONGEST_UPLOAD_MS = 300_000;
/** The slowest line for which an upload is not taken for dead: 50 kB a second. */
const SLOWEST_BYTES_PER_MS = 50;

/** What a request of any route takes; `Call` has the same for one route. */
export interface AnyCall {
  /** The values in the path. */
  path?: Record<string, string>;
  /** Parameters without a value are left out, here and in `header`. */
  query?: Record<string, string | number | boolean | undefined>;
  header?: Record<string, string | undefined>;
  /** Sent as JSON. */
  body?: object;
  file?: FileBody;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The method of a route. */
export function methodOf(route: Route): (typeof METHODS)[number] | undefined {
  return METHODS.find((method) => route.startsWith(`${method} `));
}

/**
 * Milliseconds until the answer to a request must have begun: a minute, and for a file the time that a slow line takes.
 * The HTTP library sees no progress of an upload, so its size decides.
 *
 * @param length of the file that is sent, in bytes
 */
export function answerTimeoutMs(length = 0): number {
  return Math.min(JSON_TIMEOUT_MS + Math.ceil(length / SLOWEST_BYTES_PER_MS), LONGEST_UPLOAD_MS);
}

/**
 * What n8n's helper is given. Made anew for every attempt: the helper writes the key into `headers`. The answer is
 * asked for as a stream, since the helper's `timeout` does not end a body that stops in the middle.
 *
 * @param file the bytes of an upload
 */
export function requestOptions(
  origin: string,
  route: Route,
  { path, query = {}, header = {}, body, file: about }: AnyCall,
  accept: string,
  file: Buffer | ByteStream | undefined,
  timeout: number,
): IHttpRequestOptions {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const headers = {
    Accept: accept,
    ...(body && { 'Content-Type': 'application/json' }),
    ...(about && { 'Content-Type': about.mimeType, 'Content-Length': String(about.length) }),
    ...Object.fromEntries(Object.entries(header).filter(([, value]) => value !== undefined)),
  };
  const [, template = ''] = route.split(' ');
  return {
    method: methodOf(route),
    url: `${origin}${API_PATH}${filledPath(template, path)}${search.size === 0 ? '' : `?${search}`}`,
    headers,
    // As text, since the helper drops an empty object.
    body: file ?? (body && JSON.stringify(body)),
    encoding: 'stream',
    timeout,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true,
  };
}

/**
 * The path of a request: the template with its values, each encoded, so that an id can never leave its place.
 *
 * @param template e.g. `/companies/{id}/settings`
 * @throws InputError for values that URL parsers take for a step in the path (empty, `.` and `..`)
 */
export function filledPath(template: string, values: Record<string, string> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(values[name] ?? ''));
}

function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new InputError('ID', `must not be "${value}".`, 'Enter the ID as the agency shows it.');
  }
  return encodeURIComponent(value);
}
