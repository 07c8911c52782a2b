import { parseArgs } from 'node:util';
import { benchAgencyAt } from '../agency/process';
import { ProcessMemory } from '../memory/process-memory';
import { type Task, WORKS } from './works';

/**
 * Measurements of work with many records, in a process of its own, which has to run with --expose-gc: sets a contender
 * to it so many times, and prints one line of JSON with what each time took.
 */
const WARM_UP_ITEMS = 20;

/** What a contender took; memory is in megabytes above the idle process. */
export interface Taken {
  milliseconds: number;
  cpu: number;
  peak: number;
  /** In use in the middle, for work that waits; else at the end, with the result. */
  held: number;
  requests: number;
  items: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      work: { type: 'string', default: '' },
      who: { type: 'string', default: '' },
      count: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '1' },
      /** Times before the first that counts. */
      before: { type: 'string', default: '0' },
      url: { type: 'string', default: '' },
    },
  });
  const contender = Object.entries(WORKS[values.work] ?? {}).find(([name]) => name === values.who)?.[1];
  if (contender === undefined) throw new Error('There is no such contender.');
  const agency = benchAgencyAt(values.url);
  const task = async (count: number): Promise<Task> => ({
    agency,
    count,
    memory: await ProcessMemory.watch(),
  });
  // So that everything is loaded and compiled.
  await WORKS.items?.[values.who === 'ours' ? 'ours' : 'http']?.(await task(WARM_UP_ITEMS));
  for (let time = 0; time < Number(values.before); time += 1)
    await contender(await task(Number(values.count)));
  const taken: Taken[] = [];
  while (taken.length < Number(values.rounds)) {
    await agency.reset();
    const now = await task(Number(values.count));
    const { turn, items, held } = await contender(now);
    const peak = await now.memory.peak();
    const { requests } = await agency.counts();
    const atEnd = held ?? (await now.memory.held());
    taken.push({
      milliseconds: turn.value,
      cpu: turn.cpu ?? 0,
      peak,
      held: atEnd,
      requests,
      items: items.length,
    });
  }
  console.log(JSON.stringify(taken));
}

void main();
