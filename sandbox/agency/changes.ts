import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../records';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What differs between two versions of a record, field by field. A nested field's path is joined with
 * dots; a list, and an object that was or becomes null, is one value. `updatedAt` is no change.
 */
export function changesBetween(before: object, after: object, prefix = ''): Change[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    const previous: unknown = old.get(name) ?? null;
    if (path === 'updatedAt' || isDeepStrictEqual(previous, value)) return [];
    if (isRecord(previous) && isRecord(value)) return changesBetween(previous, value, `${path}.`);
    return [{ path, before: previous, after: value }];
  });
}
