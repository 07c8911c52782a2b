import { randomBytes } from 'node:crypto';

/** A new id: the kind, and 96 random bits. */
export const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`;
