import { isRecord } from '../../nodes/shared/values/json';

/** An object of a parsed document. */
export type Node = Readonly<Record<string, unknown>>;

/** The parts of an object; of anything else, none. */
export const objectOf = (value: unknown): Node => (isRecord(value) ? value : {});

/** The entries of a list; of anything else, none. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
