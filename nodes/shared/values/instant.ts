import { DateTime } from 'luxon';

/** What JavaScript reads by itself, ten times as fast: a feed has hundreds of thousands of times. */
const USUAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * A time of the agency in milliseconds since the epoch, in any form of ISO 8601 (spec: Resources and their fields); a
 * form without an offset is taken for UTC. `NaN` for what is no time.
 */
export function instantOf(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  return USUAL.test(value) ? Date.parse(value) : DateTime.fromISO(value, { zone: 'utc' }).toMillis();
}

/**
 * When an answer was given, by the agency's clock (its header `Date`); by n8n's where the agency does not tell.
 *
 * @param headers names in lower case
 * @returns ISO 8601
 */
export function answeredAt({ date }: Record<string, unknown>): string {
  const time = Date.parse(String(date));
  return new Date(Number.isNaN(time) ? Date.now() : time).toISOString();
}

/** Whether a value is a text that can be read as a time. */
export function isTime(value: unknown): value is string {
  return !Number.isNaN(instantOf(value));
}
