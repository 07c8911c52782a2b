import { makeCompanies } from './companies';
import { makeDocuments } from './documents';
import { makeEvents } from './events';
import { makePeriods } from './periods';
import { newRandom } from './random';
import { makePlaybook, makeSettings } from './settings';
import { makeTasks } from './tasks';
import type { Seed } from './types';

const seeds = new Map<number | undefined, Seed>();

/** What `makeSeed` makes, once for all agencies that a process starts. */
export function seedOf(documentCount?: number): Seed {
  const seed = seeds.get(documentCount) ?? makeSeed(documentCount);
  seeds.set(documentCount, seed);
  return seed;
}

/**
 * The agency's made-up data, the same every time for the same number of documents; companies, settings,
 * periods are the same for any number.
 */
export function makeSeed(documentCount = 1500): Seed {
  const records = makeCompanies();
  const [ofSettings, ofPlaybooks] = [newRandom(2), newRandom(3)];
  const companies = records.map((company, index) => ({
    company,
    settings: makeSettings(company, index, ofSettings),
    playbook: makePlaybook(company, ofPlaybooks),
  }));
  const documents = makeDocuments(documentCount, records);
  const periods = makePeriods(records);
  const tasks = makeTasks(documents, records);
  const events = makeEvents({ companies, documents, periods, tasks });
  return { companies, documents, periods, tasks, events };
}
