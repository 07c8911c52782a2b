// Random ids, and hashes that identify content.
import { createHash, randomBytes } from 'node:crypto';

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, entry]) => [name, sorted(entry)]),
  );
}

/** A hash (hex SHA-256) of a JSON value that does not depend on the order of fields. */
export function fingerprint(value: unknown): string {
  return sha256(JSON.stringify(sorted(value)) ?? 'undefined');
}

/** Hex SHA-256. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** A new id: the kind, and 96 random bits. */
export const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`;
