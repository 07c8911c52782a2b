import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { InputError } from '../input-error';
import { onlyDefined } from '../values/json';
import { brokenAttempt, refusedAttempt } from './requests/failed-attempt';
import { isStream, readAnswer, watched, withProgress } from './requests/read-answer';
import { type FailedAttempt, Retries, type RetryOptions } from './requests/retry';
import {
  type Answer,
  type AnyCall,
  type ByteStream,
  type BytesRoute,
  type Call,
  type JsonRoute,
  type Route,
  UNKNOWN_TYPE,
} from './routes';

/** The path under which the agency serves its API (spec: Placeholders, `{base_url}`). */
const API_PATH = '/api/v1';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const JSON_TIMEOUT_MS = 60_000;
const LONGEST_UPLOAD_MS = 300_000;
/** The slowest line for which an upload is not taken for dead: 50 kB a second. */
const SLOWEST_BYTES_PER_MS = 50;

/** A successful answer. */
export interface AgencyAnswer<T> {
  status: number;
  /** Names in lower case. */
  headers: Record<string, unknown>;
  body: T;
}

/** Sends one request with the key of the credential: n8n's own helper, bound to a node. */
export type Transport = (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

/** How a client behaves. `timeoutMs` is also how long an answer may take. */
export interface ClientOptions extends RetryOptions {
  /** The key of the credential, which no error may show, even if an answer repeats it. */
  secret?: string;
}

/** Reads a 2xx answer, and calls `progress` with every chunk of it; `undefined` when it is not the agency's. */
type Read<T> = (body: unknown, progress: () => void) => Promise<T | undefined>;

/** The agency over HTTP: one request at a time, repeated where that may help. One client serves one execution. */
export class AgencyClient {
  private readonly retries: Retries;
  readonly secret?: string;

  /** @param origin the agency's address in its normal form, see `agencyOrigin` */
  constructor(
    private readonly transport: Transport,
    readonly origin: string,
    options: ClientOptions = {},
  ) {
    this.retries = new Retries(options);
    this.secret = options.secret;
  }

  /**
   * Sends a request whose answer is JSON. A removal that is answered with nothing gives `{}`.
   *
   * @throws AgencyError for everything that is not the API's 2xx answer with the fields that identify its record;
   * what is thrown on this side of the network, e.g. by an expression or by n8n's binary store, passes as it is
   */
  async request<R extends JsonRoute>(route: R, call: Call<R>): Promise<AgencyAnswer<Answer<R>>> {
    const { query }: AnyCall = call;
    const isDryRun = query?.dryRun === true;
    const read: Read<Answer<R>> = async (body, progress) => await readAnswer(route, isDryRun, body, progress);
    return await this.retries.repeat(
      async (until) => await this.attempt(route, call, 'application/json', read, until),
    );
  }

  /**
   * Asks for raw bytes and hands them on as a stream. `consume` runs again, with a new stream, when the
   * connection breaks in the middle.
   *
   * @throws AgencyError like `request`
   */
  async download<R extends BytesRoute, T>(
    route: R,
    call: Call<R>,
    consume: (bytes: ByteStream) => Promise<T>,
  ): Promise<AgencyAnswer<T>> {
    const read: Read<T> = async (body, progress) =>
      isStream(body) ? await consume(withProgress(body, progress)) : undefined;
    return await this.retries.repeat(
      async (until) => await this.attempt(route, call, UNKNOWN_TYPE, read, until),
    );
  }

  private async attempt<T>(
    route: Route,
    call: AnyCall,
    accept: string,
    read: Read<T>,
    until: number,
  ): Promise<{ answer: AgencyAnswer<T> } | FailedAttempt> {
    const { clock, timeoutMs = answerTimeoutMs(call.file?.length) } = this.retries;
    // What n8n's binary store throws is not the agency's, so it passes.
    const file = call.file && (await call.file.open());
    const timeout = Math.min(timeoutMs, until - clock.now());
    const options = requestOptions(this.origin, route, call, accept, file, timeout);
    let bytes: ByteStream | undefined;
    try {
      const response = await this.transport(options);
      const { statusCode: status, headers } = response;
      bytes = isStream(response.body) ? response.body : undefined;
      const watch = bytes && watched(bytes, until, clock);
      const progress = watch?.progress ?? (() => undefined);
      const isSuccess = status >= 200 && status < 300;
      const reading = isSuccess ? read(response.body, progress) : undefined;
      const body = await (watch && reading ? Promise.race([reading, watch.silence]) : reading);
      if (body !== undefined) return { answer: { status, headers, body } };
      const unread = isSuccess ? undefined : bytes ? withProgress(bytes, progress) : response.body;
      const answer = { ...response, body: unread };
      const refusal = refusedAttempt(answer, this, route, call.path?.id, clock);
      return await (watch ? Promise.race([refusal, watch.silence]) : refusal);
    } catch (thrown) {
      return brokenAttempt(thrown, this, bytes, isStream(file) ? file : undefined);
    } finally {
      // An answer, or none at all, may come before the whole file was read.
      if (isStream(file)) file.destroy();
      bytes?.destroy();
    }
  }
}

/**
 * Milliseconds until the answer to a request must have begun: a minute, and for a file the time that a slow line takes.
 * The HTTP library sees no progress of an upload, so its size decides.
 *
 * @param length of the file that is sent, in bytes
 */
function answerTimeoutMs(length = 0): number {
  return Math.min(JSON_TIMEOUT_MS + Math.ceil(length / SLOWEST_BYTES_PER_MS), LONGEST_UPLOAD_MS);
}

/**
 * What n8n's helper is given. Made anew for every attempt: the helper writes the key into `headers`. The answer is
 * asked for as a stream, since the helper's `timeout` does not end a body that stops in the middle.
 *
 * @param file the bytes of an upload
 */
function requestOptions(
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
    ...onlyDefined(header),
  };
  const [method, template = ''] = route.split(' ');
  return {
    method: METHODS.find((known) => known === method),
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
