import { makeCompanies } from './companies';
import { PERIOD, UNTIL } from './dates';
import { makeDocuments } from './documents';
import { makeEvents } from './events';
import { makePeriods } from './periods';
import { makePlaybooks, makeSettings } from './settings';
import { makeTasks } from './tasks';
import type { Seed, SeedCompany } from './types';

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
  const settings = makeSettings(records);
  const playbooks = makePlaybooks(records);
  const companies = records.flatMap((company, index): SeedCompany[] => {
    const [setting, playbook] = [settings[index], playbooks[index]];
    return setting && playbook ? [{ company, settings: setting, playbook }] : [];
  });
  const documents = makeDocuments(documentCount, records);
  const periods = makePeriods(records);
  const tasks = makeTasks(documents, records);
  const happened = makeEvents({ companies, documents, periods, tasks });
  return { until: UNTIL, period: PERIOD, companies, documents, periods, tasks, events: happened };
}
