import { isRecord } from '../../values/json';

/** What stands in the place of a key. */
const REDACTED = '[redacted]';

/** A value of JSON in which no text holds the secret: a proxy, or the agency, may repeat the headers of a request. */
export function redacted<T>(value: T, secret: string | undefined): T;
export function redacted(value: unknown, secret: string | undefined): unknown {
  if (secret === undefined || secret === '') return value;
  if (typeof value === 'string') return value.replaceAll(secret, REDACTED);
  if (Array.isArray(value)) return value.map((entry) => redacted(entry, secret));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [redacted(name, secret), redacted(entry, secret)]),
  );
}
