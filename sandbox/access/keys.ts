import { sha256, newId } from '../ids';
import type { Seed } from '../seed/types';
import { addAccess, addKey, type Access } from '../store/accesses';
import type { Database } from '../store/database';
import { THIS_AGENCY } from './authentication';
import { SCOPES } from './scopes';

/** The service's fixed prefix of API keys. */
const PREFIX = 'aa_live_';

const KEY_NAMES = ['full', 'other', 'readonly', 'singleCompany', 'revoked', 'expired', 'foreign'] as const;

/** A key that every sandbox has. */
export type KeyName = (typeof KEY_NAMES)[number];

/** The access that `full`, and the access token, act as. */
export const FULL_ACCESS = 'access_full';

const LONG_AGO = Date.UTC(2025, 0, 1);

/** Made-up keys, the same on every machine: made from a name, they open nothing but a sandbox. */
const keyValue = (name: KeyName): string => `${PREFIX}${sha256(`sandbox key ${name}`).slice(0, 40)}`;

/** The values of the keys that every sandbox has. */
export const seedKeys = () =>
  Object.fromEntries(KEY_NAMES.map((name) => [name, keyValue(name)])) as Record<KeyName, string>;

const keyId = (name: KeyName): string => `key_${name}`;

/** The value of a key that every sandbox has, by its ID; of any other key, only the hash is kept. */
export function seedKeyValue(id: string): string | null {
  const name = KEY_NAMES.find((one) => keyId(one) === id);
  return name === undefined ? null : keyValue(name);
}

/** The access of each key; `singleCompany` sees the company of the first open task, so that it sees some of everything. */
function accessOf(name: KeyName, seed: Seed): Access {
  const company = seed.tasks.find(({ result }) => result === null)?.task.companyId;
  return {
    id: name === 'full' ? FULL_ACCESS : `access_${name}`,
    name,
    scopes: name === 'readonly' ? SCOPES.filter((scope) => scope.endsWith(':read')) : SCOPES,
    companies: name === 'singleCompany' ? [company ?? ''] : 'all',
  };
}

/** Adds the keys with their accesses to a fresh database. */
export function addSeedKeys(db: Database, seed: Seed): void {
  for (const name of KEY_NAMES) {
    const access = accessOf(name, seed);
    addAccess(db, access, name === 'foreign' ? 'another agency' : THIS_AGENCY);
    addKey(db, {
      value: keyValue(name),
      id: keyId(name),
      accessId: access.id,
      expiresAt: name === 'expired' ? LONG_AGO : null,
      revokedAt: name === 'revoked' ? LONG_AGO : null,
    });
  }
}

/** A new access with one key. @returns The key, which cannot be read later. */
export function createKey(db: Database, rights: Pick<Access, 'scopes' | 'companies'>): string {
  const access = { id: newId('access'), name: 'made on request', ...rights };
  const value = newId(PREFIX.slice(0, -1));
  addAccess(db, access, THIS_AGENCY);
  addKey(db, { value, id: newId('key'), accessId: access.id, expiresAt: null, revokedAt: null });
  return value;
}
