import { sha256 } from '../ids';
import type { Scope } from '../records';
import type { Database } from './database';

/** What a service principal may do. */
export interface Access {
  id: string;
  name: string;
  scopes: Scope[];
  companies: 'all' | string[];
}

/** A key as it is stored: by its hash. */
export interface Key {
  /** The key itself; only its hash is kept. */
  value: string;
  id: string;
  accessId: string;
  /** Milliseconds; null: never. */
  expiresAt: number | null;
  revokedAt: number | null;
}

/** A key with its access. */
export interface KeyOfAccess extends Pick<Key, 'id' | 'expiresAt' | 'revokedAt'> {
  access: Access;
}

type AccessRow = { id: string; name: string; scopes: string; companies: string | null };
type KeyRow = AccessRow & Pick<Key, 'expiresAt' | 'revokedAt'> & { keyId: string };

const accessOf = (row: AccessRow): Access => ({
  id: row.id,
  name: row.name,
  scopes: JSON.parse(row.scopes),
  companies: row.companies === null ? 'all' : JSON.parse(row.companies),
});

const keyOf = (row: KeyRow): KeyOfAccess => ({
  id: row.keyId,
  expiresAt: row.expiresAt,
  revokedAt: row.revokedAt,
  access: accessOf(row),
});

const KEYS = `SELECT a.*, k.id AS keyId, k.expiresAt, k.revokedAt
  FROM keys k JOIN accesses a ON a.id = k.accessId`;

/** Adds an access of an agency. */
export function addAccess(db: Database, access: Access, agency: string): void {
  db.insert('accesses', {
    id: access.id,
    name: access.name,
    agency,
    scopes: JSON.stringify(access.scopes),
    companies: access.companies === 'all' ? null : JSON.stringify(access.companies),
  });
}

/** Adds a key, of which only the hash is kept. */
export function addKey(db: Database, { value, ...key }: Key): void {
  db.insert('keys', { hash: sha256(value), ...key });
}

/** The key with this value at this agency. */
export function findKey(db: Database, value: string, agency: string): KeyOfAccess | undefined {
  const row = db.get<KeyRow>(`${KEYS} WHERE k.hash = :hash AND a.agency = :agency`, {
    hash: sha256(value),
    agency,
  });
  return row && keyOf(row);
}

/** The access with this ID. */
export function findAccess(db: Database, id: string): Access | undefined {
  const row = db.get<AccessRow>('SELECT * FROM accesses WHERE id = :id', { id });
  return row && accessOf(row);
}

/** All keys of an agency, for its administrators. */
export function listKeys(db: Database, agency: string): KeyOfAccess[] {
  return db.all<KeyRow>(`${KEYS} WHERE a.agency = :agency ORDER BY a.name, k.id`, { agency }).map(keyOf);
}
