import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { isRecord, parsedJson } from '../values/json';
import { connectionFault } from './connection';
import {
  AgencyError,
  errorOfAnswer,
  errorOfForeignAnswer,
  errorOfSilence,
  errorOfStorage,
  isErrorBody,
} from './errors';
import { Pace } from './pace';
import { recordOf } from './path';
import { type AgencyCall, type ByteStream, isStream, requestOptions } from './request';
import { ATTEMPTS, backOffMs, LONGEST_RETRY_AFTER_MS, type RetryAdvice, retryAdvice } from './retry';
import { type Clock, systemClock, waitUntil } from './wait';

export type { AgencyCall, ByteStream, FileBody } from './request';

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
  patienceMs?: number;
  signal?: AbortSignal;
  clock?: Clock;
}

type Outcome<T> = { answer: AgencyAnswer<T> } | { error: AgencyError; advice: RetryAdvice };

type Read<T> = (response: IN8nHttpFullResponse) => Promise<T | undefined>;

/** The agency over HTTP: one request at a time, repeated where that may help. One client serves one execution. */
export class AgencyClient {
  private readonly pace: Pace;
  private readonly clock: Clock;
  private readonly attempts: number;
  private readonly patienceMs?: number;
  private readonly signal?: AbortSignal;

  /** @param origin the agency's address in its normal form, see `agencyOrigin` */
  constructor(
    private readonly transport: Transport,
    readonly origin: string,
    { attempts = ATTEMPTS, patienceMs, signal, clock = systemClock }: ClientOptions = {},
  ) {
    this.clock = clock;
    this.pace = new Pace(clock);
    this.attempts = attempts;
    this.patienceMs = patienceMs;
    this.signal = signal;
  }

  /**
   * Sends a request whose answer is JSON. An answer without a body gives `{}`.
   *
   * @throws AgencyError for everything that is not the API's 2xx answer
   */
  async request<T extends object>(call: AgencyCall): Promise<AgencyAnswer<T>> {
    return await this.repeat<T>(call, 'text', async ({ body }) => {
      const parsed = body === '' || body === undefined ? {} : jsonOf(body);
      return isAnswer<T>(parsed) ? parsed : undefined;
    });
  }

  /**
   * Asks for raw bytes and hands them on as a stream. `consume` runs again, with a new stream, when the
   * connection breaks in the middle.
   *
   * @throws AgencyError like `request`
   */
  async download<T>(call: AgencyCall, consume: (bytes: ByteStream) => Promise<T>): Promise<AgencyAnswer<T>> {
    return await this.repeat<T>(call, 'stream', async ({ body }) =>
      isStream(body) ? await consume(body) : undefined,
    );
  }

  private async repeat<T>(
    call: AgencyCall,
    encoding: 'text' | 'stream',
    read: Read<T>,
  ): Promise<AgencyAnswer<T>> {
    for (let attempt = 1; ; attempt += 1) {
      if (!(await this.pace.ready(this.signal))) throw cancelled();
      const sent = this.clock.now();
      const outcome = await this.attempt(call, encoding, read);
      if ('answer' in outcome) return outcome.answer;
      if (this.signal?.aborted) throw cancelled();
      if (this.patienceMs !== undefined && this.clock.now() - sent >= this.patienceMs) throw outcome.error;
      if (!(await this.mayRepeat(attempt, outcome.advice, outcome.error))) throw outcome.error;
    }
  }

  /** Waits as the advice says. `false` when another attempt makes no sense. */
  private async mayRepeat(attempt: number, advice: RetryAdvice, error: AgencyError): Promise<boolean> {
    if (advice.kind === 'never' || attempt >= this.attempts) return false;
    const backOff = backOffMs(attempt, this.clock.random());
    if (advice.kind === 'alone') return await waitUntil(this.clock.now() + backOff, this.clock, this.signal);
    const { afterMs = backOff } = advice;
    const longestMs = this.patienceMs ?? LONGEST_RETRY_AFTER_MS;
    if (afterMs > longestMs) throw tooLong(error, afterMs, longestMs);
    this.pace.pause(afterMs);
    return true;
  }

  private async attempt<T>(
    call: AgencyCall,
    encoding: 'text' | 'stream',
    read: Read<T>,
  ): Promise<Outcome<T>> {
    const options = await requestOptions(this.origin, call, encoding, this.patienceMs);
    let response: IN8nHttpFullResponse | undefined;
    try {
      response = await this.transport(options);
      const { statusCode: status, headers } = response;
      const body = status >= 200 && status < 300 ? await read(response) : undefined;
      return body === undefined ? await this.refusal(response, call) : { answer: { status, headers, body } };
    } catch (thrown) {
      const { reason, passing } = connectionFault(thrown);
      const onTheWay = passing || response === undefined;
      const error = onTheWay ? errorOfSilence(reason, this.origin) : errorOfStorage(reason);
      return { error, advice: { kind: passing ? 'alone' : 'never' } };
    } finally {
      // An answer, or none at all, may come before the whole file was read.
      if (isStream(options.body)) options.body.destroy();
    }
  }

  private async refusal(
    { statusCode, headers, body }: IN8nHttpFullResponse,
    { path }: AgencyCall,
  ): Promise<{ error: AgencyError; advice: RetryAdvice }> {
    const parsed = jsonOf(isStream(body) ? await textOf(body) : body);
    const header = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined);
    const requestId = header('x-request-id');
    const error = isErrorBody(parsed)
      ? errorOfAnswer(statusCode, parsed, requestId, this.origin, recordOf(path))
      : errorOfForeignAnswer(statusCode, header('location'), requestId, this.origin);
    return { error, advice: retryAdvice(statusCode, error.code, header('retry-after'), this.clock.now()) };
  }
}

/** The fields of a successful answer are taken as the contract has them. */
function isAnswer<T extends object>(value: unknown): value is T {
  return isRecord(value);
}

/** n8n hands on a text as it came, and some answers already parsed. */
function jsonOf(body: unknown): unknown {
  return typeof body === 'string' ? parsedJson(body) : body;
}

async function textOf(stream: ByteStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function cancelled(): AgencyError {
  return new AgencyError('The execution was cancelled.', 'Start it again to go on.');
}

function tooLong(error: AgencyError, afterMs: number, longestMs: number): AgencyError {
  const seconds = Math.ceil(afterMs / 1000);
  return new AgencyError(
    `The agency takes no requests of this key for the next ${seconds} seconds.`,
    `That is longer than the node waits (${longestMs / 1000} seconds). Try again after that time.`,
    error,
  );
}
