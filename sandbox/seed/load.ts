import { addSeedKeys } from '../access/keys';
import { openMonths } from '../agency/new-months';
import type { Seed } from './types';
import { addCompany } from '../store/companies';
import type { Database } from '../store/database';
import { addDocument } from '../store/documents';
import { addToFeed } from '../store/events';
import { writeMeta } from '../store/meta';
import { addPeriods } from '../store/periods';
import { addTask } from '../store/tasks';

/** Tables in memory as they were filled, by their seed: to copy them is much quicker than to fill them anew. */
const copies = new WeakMap<Seed, Uint8Array>();

/** Replaces all data by the seed and the months that have begun since, and sets the clock and the plan back. */
export function fill(db: Database, seed: Seed): void {
  const copy = db.isInMemory ? copies.get(seed) : undefined;
  if (copy !== undefined) {
    db.restore(copy);
    return;
  }
  db.transaction(() => {
    db.clear();
    addSeed(db, seed);
    openMonths(db, Date.now());
    writeMeta(db, 'clockOffset', '0');
    writeMeta(db, 'apiAccess', 'true');
    writeMeta(db, 'seeded', 'true');
  });
  if (db.isInMemory) copies.set(seed, db.snapshot());
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
