import type { Database } from './database';

/** What the sandbox keeps about itself. */
export type MetaName = 'cursorSecret' | 'tokenKey' | 'clockOffset' | 'apiAccess' | 'seeded';

/** A value that the sandbox keeps; undefined when it was never written. */
export function readMeta(db: Database, name: MetaName): string | undefined {
  return db.get<{ value: string }>('SELECT value FROM meta WHERE name = :name', { name })?.value;
}

/** Keeps a value in place of the one before. */
export function writeMeta(db: Database, name: MetaName, value: string): void {
  db.run('INSERT INTO meta VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value', {
    name,
    value,
  });
}
