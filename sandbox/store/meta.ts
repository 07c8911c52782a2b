import type { Database } from './database';

/** What the sandbox keeps about itself. */
export type MetaName = 'cursorSecret' | 'tokenKey' | 'clockOffset' | 'apiAccess' | 'seeded';

export function readMeta(db: Database, name: MetaName): string | undefined {
  return db.get<{ value: string }>('SELECT value FROM meta WHERE name = :name', { name })?.value;
}

export function writeMeta(db: Database, name: MetaName, value: string): void {
  db.run('INSERT INTO meta VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value', {
    name,
    value,
  });
}
