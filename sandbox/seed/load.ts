import { addSeedKeys } from '../access/keys';
import type { Seed } from './types';
import { addCompany } from '../store/companies';
import type { Database } from '../store/database';
import { addDocument } from '../store/documents';
import { addToFeed } from '../store/events';
import { writeMeta } from '../store/meta';
import { addPeriods } from '../store/periods';
import { addTask } from '../store/tasks';

/**
 * Replaces all data by the seed, and sets the clock's offset and the plan back.
 * @returns How far the clock is to be ahead of the machine's (milliseconds): never before the seed's newest moment.
 */
export function fill(db: Database, seed: Seed): number {
  return db.transaction(() => {
    db.clear();
    addSeed(db, seed);
    return setBack(db, seed);
  });
}

/**
 * The same for data that was filled before.
 * @param copy The data as it was then, if there is a copy of it.
 */
export function refill(db: Database, seed: Seed, copy: Uint8Array | undefined): number {
  if (copy === undefined) return fill(db, seed);
  db.restore(copy);
  return setBack(db, seed);
}

function addSeed(db: Database, seed: Seed): void {
  for (const company of seed.companies) addCompany(db, company);
  for (const { document, content } of seed.documents) {
    addDocument(db, document, { blob: null, text: content }, null);
  }
  addPeriods(db, seed.periods);
  for (const task of seed.tasks) addTask(db, task);
  addToFeed(db, seed.events);
  addSeedKeys(db, seed);
}

function setBack(db: Database, seed: Seed): number {
  const offset = Math.max(0, Date.parse(seed.until) - Date.now());
  writeMeta(db, 'clockOffset', String(offset));
  writeMeta(db, 'apiAccess', 'true');
  writeMeta(db, 'seeded', 'true');
  return offset;
}
