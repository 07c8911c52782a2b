import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { isRecord, jsonOf } from '../values/json';
import { isExpectedAnswer } from './answer-check';
import { AgencyError } from './errors/agency-error';
import { brokenAttempt, type FailedAttempt, refusedAttempt } from './requests/failed-attempt';
import { type AnyCall, answerTimeoutMs, requestOptions } from './requests/request-options';
import {
  ATTEMPTS,
  ATTEMPTS_AFTER_FOREIGN_ANSWERS,
  backOffMs,
  LONGEST_REQUEST_MS,
  LONGEST_RETRY_AFTER_MS,
  Pace,
  type RetryAdvice,
} from './requests/retry';
import type { Answer, BytesRoute, Call, JsonRoute, Route } from './routes';
import {
  type ByteStream,
  isStream,
  LONGEST_TEXT,
  textOf,
  UNKNOWN_TYPE,
  watched,
  withProgress,
} from './requests/streams';
import { type Clock, systemClock, waitUntil } from './requests/wait';

export type { ByteStream, FileBody } from './requests/streams';

/** A successful answer. */
export interface AgencyAnswer<T> {
  status: number;
  /** Names in lower case. */
  headers: Record<string, unknown>;
  body: T;
}

/** Sends one request with the key of the credential: n8n's own helper, bound to a node. */
export type Transport = (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

/** How a client behaves. */
export interface ClientOptions {
  /** Attempts of a request, the first one included. */
  attempts?: number;
  /**
   * How long an answer of JSON may take, in milliseconds. A request that took as long is not sent again, and no longer
   * `Retry-After` is waited for.
   */
  timeoutMs?: number;
  /** The key of the credential, which no error may show, even if an answer repeats it. */
  secret?: string;
  signal?: AbortSignal;
  clock?: Clock;
}

type Outcome<T> = { answer: AgencyAnswer<T> } | FailedAttempt;

/** Reads a 2xx answer, and calls `progress` with every chunk of it; `undefined` when it is not the agency's. */
type Read<T> = (body: unknown, progress: () => void) => Promise<T | undefined>;

/** The agency over HTTP: one request at a time, repeated where that may help. One client serves one execution. */
export class AgencyClient {
  private readonly pace: Pace;
  private readonly clock: Clock;
  private readonly attempts: number;
  private readonly timeoutMs?: number;
  readonly secret?: string;
  private readonly signal?: AbortSignal;

  /** @param origin the agency's address in its normal form, see `agencyOrigin` */
  constructor(
    private readonly transport: Transport,
    readonly origin: string,
    { attempts = ATTEMPTS, timeoutMs, secret, signal, clock = systemClock }: ClientOptions = {},
  ) {
    this.clock = clock;
    this.pace = new Pace(clock);
    this.attempts = attempts;
    this.timeoutMs = timeoutMs;
    this.secret = secret;
    this.signal = signal;
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
    return await this.repeat(route, call, 'application/json', async (body, progress) => {
      const text = isStream(body) ? await textOf(body, LONGEST_TEXT, progress) : body;
      const parsed = text === '' ? undefined : jsonOf(text);
      if (parsed === undefined && text !== '' && text !== undefined) return undefined;
      return isExpectedAnswer(route, isDryRun, parsed) ? answerOf<Answer<R>>(parsed) : undefined;
    });
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
    return await this.repeat(route, call, UNKNOWN_TYPE, async (body, progress) => {
      if (!isStream(body)) return undefined;
      return await consume(withProgress(body, progress));
    });
  }

  private async repeat<T>(
    route: Route,
    call: AnyCall,
    accept: string,
    read: Read<T>,
  ): Promise<AgencyAnswer<T>> {
    if (!(await this.pace.ready(this.signal))) throw cancelled();
    const until = this.clock.now() + LONGEST_REQUEST_MS;
    let last: AgencyError | undefined;
    for (let attempt = 1; ; attempt += 1) {
      if (!(await this.pace.ready(this.signal))) throw cancelled();
      const sent = this.clock.now();
      // Other requests may have been told to wait meanwhile, and this one with them.
      if (last !== undefined && sent >= until) throw last;
      const outcome = await this.attempt(route, call, accept, read, until);
      if ('answer' in outcome) return outcome.answer;
      if (this.signal?.aborted) throw cancelled();
      if (this.timeoutMs !== undefined && this.clock.now() - sent >= this.timeoutMs) throw outcome.error;
      if (!(await this.mayRepeat(attempt, outcome.advice, outcome.error, until))) throw outcome.error;
      last = outcome.error;
    }
  }

  /** Waits as the advice says. `false` when another attempt makes no sense, or would come too late. */
  private async mayRepeat(
    attempt: number,
    advice: RetryAdvice,
    error: AgencyError,
    until: number,
  ): Promise<boolean> {
    const attempts = advice.kind === 'few' ? ATTEMPTS_AFTER_FOREIGN_ANSWERS : this.attempts;
    if (advice.kind === 'never' || attempt >= Math.min(attempts, this.attempts)) return false;
    const backOff = backOffMs(attempt, this.clock.random());
    const { afterMs = backOff } = 'afterMs' in advice ? advice : {};
    const longestMs = this.timeoutMs ?? LONGEST_RETRY_AFTER_MS;
    if (afterMs > longestMs) throw tooLong(error, afterMs, longestMs);
    if (this.clock.now() + afterMs >= until) return false;
    if (advice.kind !== 'paced') return await waitUntil(this.clock.now() + afterMs, this.clock, this.signal);
    this.pace.pause(afterMs);
    return true;
  }

  private async attempt<T>(
    route: Route,
    call: AnyCall,
    accept: string,
    read: Read<T>,
    until: number,
  ): Promise<Outcome<T>> {
    // What n8n's binary store throws is not the agency's, so it passes.
    const file = call.file && (await call.file.open());
    const timeout = Math.min(this.timeoutMs ?? answerTimeoutMs(call.file?.length), until - this.clock.now());
    const options = requestOptions(this.origin, route, call, accept, file, timeout);
    let bytes: ByteStream | undefined;
    try {
      const response = await this.transport(options);
      const { statusCode: status, headers } = response;
      bytes = isStream(response.body) ? response.body : undefined;
      const watch = bytes && watched(bytes, until, this.clock);
      const progress = watch?.progress ?? (() => undefined);
      const isSuccess = status >= 200 && status < 300;
      const reading = isSuccess ? read(response.body, progress) : undefined;
      const body = await (watch && reading ? Promise.race([reading, watch.silence]) : reading);
      if (body !== undefined) return { answer: { status, headers, body } };
      const unread = isSuccess ? undefined : bytes ? withProgress(bytes, progress) : response.body;
      const answer = { ...response, body: unread };
      const refusal = refusedAttempt(answer, this, route, call.path?.id, this.clock);
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

/** Taken as the contract has it, once it has been identified. */
function answerOf<T extends object>(parsed: unknown): T | undefined {
  const body = parsed ?? {};
  return isAnswer<T>(body) ? body : undefined;
}

/** The other fields of a successful answer are taken as the contract has them. */
function isAnswer<T extends object>(value: unknown): value is T {
  return isRecord(value);
}

function cancelled(): AgencyError {
  return new AgencyError('The execution was canceled.', 'Start it again to continue.');
}

function tooLong(error: AgencyError, afterMs: number, longestMs: number): AgencyError {
  const seconds = Math.ceil(afterMs / 1000);
  return new AgencyError(
    `The agency does not accept requests${error.status === 429 ? ' with this key' : ''} for the next ${seconds} seconds.`,
    `The node waits for ${longestMs / 1000} seconds at most. Try again after that time.`,
    error,
  );
}
