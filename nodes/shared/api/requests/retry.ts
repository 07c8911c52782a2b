import { type Clock, waitUntil } from './wait';

/** Attempts a request has at most, the first one included. */
export const ATTEMPTS = 10;
/** Attempts after 2xx answers that are not the agency's: a proxy that changes answers does so again. */
export const ATTEMPTS_AFTER_FOREIGN_ANSWERS = 4;
/** The time that one request may take with all its attempts, in milliseconds. */
export const LONGEST_REQUEST_MS = 600_000;
/** The longest `Retry-After` that is waited for, in milliseconds. */
export const LONGEST_RETRY_AFTER_MS = 120_000;

const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 30_000;
/** Requests that were held back start again within this time. */
const SPREAD_MS = 1000;

/** Statuses after which the same request may succeed: the agency's own, and those of gateways (520 to 530: Cloudflare's). */
const PASSING_STATUSES = new Set([
  408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 527, 529, 530, 598, 599,
]);

/** Whether a status says that the same request may succeed later. */
export function isTransient(status: number): boolean {
  return status === 429 || PASSING_STATUSES.has(status);
}

/**
 * What speaks for another attempt.
 * `paced`: all requests of the execution wait (429, or a `Retry-After`); `alone`: this request backs off; `few`: so
 * too, but not as often; `never`: it is final.
 */
export type RetryAdvice =
  { kind: 'never' } | { kind: 'alone' } | { kind: 'few' } | { kind: 'paced'; afterMs: number | undefined };

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
