// Random ids, and hashes that identify content.
import { createHash, randomBytes } from 'node:crypto';

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A hash (hex SHA-256) of a JSON value that does not depend on the order of fields. */
export const fingerprint = (value: object): string => sha256(JSON.stringify(value, sorted));

/** Hex SHA-256. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** A new id: the kind, and 96 random bits. */
export const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`;
