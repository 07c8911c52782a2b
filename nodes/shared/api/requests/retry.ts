import { AgencyError } from '../errors/agency-error';
import { isTransient } from '../errors/network-errors';
import { shownDuration } from '../../values/dates';
import { type Clock, systemClock, waitUntil } from './wait';

/** Attempts a request has at most, the first one included. */
export const ATTEMPTS = 10;
/** Attempts after 2xx answers that are not the agency's: a proxy that changes answers does so again. */
const ATTEMPTS_AFTER_FOREIGN_ANSWERS = 4;
/** The time that one request may take with all its attempts, in milliseconds. */
const LONGEST_REQUEST_MS = 600_000;
/** The longest `Retry-After` that is waited for, in milliseconds. */
const LONGEST_RETRY_AFTER_MS = 120_000;

const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 30_000;
/** Requests that were held back start again within this time. */
const SPREAD_MS = 1000;

/**
 * What speaks for another attempt.
 * `paced`: all requests of the execution wait (429, or a `Retry-After`); `alone`: this request backs off; `few`: so
 * too, but not as often; `never`: it is final.
 */
export type RetryAdvice =
  { kind: 'never' } | { kind: 'alone' } | { kind: 'few' } | { kind: 'paced'; afterMs: number | undefined };

/** An attempt without the API's success: its error, and whether to send the request again. */
export interface FailedAttempt {
  error: AgencyError;
  advice: RetryAdvice;
}

/** How requests are repeated. */
export interface RetryOptions {
  /** Attempts of a request, the first one included. */
  attempts?: number;
  /** A request whose attempt took as long, in milliseconds, is not sent again, and no longer `Retry-After` is waited for. */
  timeoutMs?: number;
  signal?: AbortSignal;
  clock?: Clock;
}

/**
 * Reads from an answer whether the request should be sent again (spec: Errors, Limits).
 *
 * @param retryAfter the header `Retry-After`, if there was one
 * @param now milliseconds since the epoch by the sender's clock, for a `Retry-After` that is a date (RFC 9110, 10.2.3)
 */
export function retryAdvice(
  status: number,
  code: string | undefined,
  retryAfter: string | undefined,
  now: number,
): RetryAdvice {
  const afterMs = retryAfterMs(retryAfter, now);
  if (status === 429) return { kind: 'paced', afterMs };
  if (!isTransient(status) && code !== 'IDEMPOTENCY_KEY_IN_USE') return { kind: 'never' };
  return afterMs === undefined ? { kind: 'alone' } : { kind: 'paced', afterMs };
}

/**
 * Milliseconds that a `Retry-After` asks for (seconds or an HTTP date); `undefined` when it says nothing usable, which
 * a time that is already over does not.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const date = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text) - now : Number.NaN;
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : date;
  return milliseconds > 0 ? milliseconds : undefined;
}

/**
 * Milliseconds to back off before the next attempt: doubling from half a second to half a minute, of which
 * the lesser half is chance, so that requests that broke together do not come back together.
 *
 * @param attempt the number of the attempt that has just been made, from 1
 * @param chance a number from 0 up to, but not including, 1
 */
export function backOffMs(attempt: number, chance: number): number {
  const full = Math.min(FIRST_BACK_OFF_MS * 2 ** (attempt - 1), LONGEST_BACK_OFF_MS);
  return full * (0.5 + chance / 2);
}

/**
 * The pace that all requests of one execution share: after a 429 every one of them waits, and they start again
 * spread over a second, since other workflows may use the same key.
 */
export class Pace {
  private resumeAt = 0;

  constructor(private readonly clock: Clock) {}

  /** Holds all requests back for so many milliseconds. */
  pause(milliseconds: number): void {
    this.resumeAt = Math.max(this.resumeAt, this.clock.now() + milliseconds);
  }

  /**
   * Resolves when a request may be sent.
   *
   * @returns `false` when the execution was cancelled meanwhile
   */
  async ready(signal?: AbortSignal): Promise<boolean> {
    while (this.clock.now() < this.resumeAt) {
      const spread = this.clock.random() * SPREAD_MS;
      if (!(await waitUntil(this.resumeAt + spread, this.clock, signal))) return false;
    }
    return !signal?.aborted;
  }
}

/** Repeats the requests of one execution where that may help, at the pace that they share. */
export class Retries {
  readonly clock: Clock;
  readonly timeoutMs?: number;
  private readonly pace: Pace;
  private readonly attempts: number;
  private readonly signal?: AbortSignal;

  constructor({ attempts = ATTEMPTS, timeoutMs, signal, clock = systemClock }: RetryOptions) {
    this.clock = clock;
    this.pace = new Pace(clock);
    this.attempts = attempts;
    this.timeoutMs = timeoutMs;
    this.signal = signal;
  }

  /**
   * Sends a request until it succeeds.
   *
   * @param send makes one attempt, which is to be over at the given time (milliseconds since the epoch)
   * @throws AgencyError the last attempt's, when another one makes no sense or would come too late
   */
  async repeat<T>(send: (until: number) => Promise<{ answer: T } | FailedAttempt>): Promise<T> {
    if (!(await this.pace.ready(this.signal))) throw cancelled();
    const until = this.clock.now() + LONGEST_REQUEST_MS;
    let last: AgencyError | undefined;
    for (let attempt = 1; ; attempt += 1) {
      if (!(await this.pace.ready(this.signal))) throw cancelled();
      const sent = this.clock.now();
      // Other requests may have been told to wait meanwhile, and this one with them.
      if (last !== undefined && sent >= until) throw last;
      const outcome = await send(until);
      if ('answer' in outcome) return outcome.answer;
      if (this.signal?.aborted) throw cancelled();
      if (this.timeoutMs !== undefined && this.clock.now() - sent >= this.timeoutMs) throw outcome.error;
      if (!(await this.mayRepeat(attempt, outcome, until))) throw outcome.error;
      last = outcome.error;
    }
  }

  /** Waits as the advice says. `false` when another attempt makes no sense, or would come too late. */
  private async mayRepeat(
    attempt: number,
    { advice, error }: FailedAttempt,
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
}

function cancelled(): AgencyError {
  return new AgencyError(
    'The execution was canceled.',
    'Start the workflow again. A new execution begins from the start.',
  );
}

function tooLong(error: AgencyError, afterMs: number, longestMs: number): AgencyError {
  return new AgencyError(
    `The agency does not accept requests${error.status === 429 ? ' with this key' : ''} for the next ${shownDuration(afterMs)}.`,
    `The node waits for ${shownDuration(longestMs)} at most. Try again in ${shownDuration(afterMs)}.`,
    error,
  );
}
