import { addSeedKeys } from '../access/keys';
import type { Seed } from './types';
import { addCompany } from '../store/companies';
import type { Database } from '../store/database';
import { addDocument } from '../store/documents';
import { addEvent } from '../store/events';
import { writeMeta } from '../store/meta';
import { addPeriod } from '../store/periods';
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

/** The same for data that was filled before: its rows are kept in memory, so that it is fast from the second time on. */
export function refill(db: Database, seed: Seed): number {
  const offset = db.transaction(() => (db.restore() ? setBack(db, seed) : undefined));
  if (offset !== undefined) return offset;
  const first = fill(db, seed);
  db.remember();
  return first;
}

function addSeed(db: Database, seed: Seed): void {
  for (const company of seed.companies) addCompany(db, company);
  for (const { document, content } of seed.documents) {
    addDocument(db, document, { blob: null, text: content }, null);
  }
  for (const period of seed.periods) addPeriod(db, period);
  for (const task of seed.tasks) addTask(db, task);
  for (const event of seed.events) addEvent(db, event, null);
  addSeedKeys(db, seed);
}

function setBack(db: Database, seed: Seed): number {
  const offset = Math.max(0, Date.parse(seed.until) - Date.now());
  writeMeta(db, 'clockOffset', String(offset));
  writeMeta(db, 'apiAccess', 'true');
  writeMeta(db, 'seeded', 'true');
  return offset;
}
