import { setTimeout as wait } from 'node:timers/promises';
import { newRandom } from '../../../sandbox/seed/random';
import { control } from '../../../tools/n8n/agency';
import { retryExecution } from '../../../tools/n8n/executions';
import type { HostVersion } from '../../../tools/n8n/install';
import type { Stage } from '../../../tools/n8n/stage';
import { HostDatabase } from '../../bench/host/database';
import { onStage } from '../../bench/host/stage';
import { activeTrigger, OUR_TRIGGER } from '../../bench/host/target';
import { testSandbox } from '../../support/sandbox/sandbox';
import { until } from '../../support/time/until';
import { type Counter, startCounter } from './counter';
import { idsOf } from './days-off';
import { reporting } from './siege';

/** Within so long after n8n is ready, it is killed. */
const LONGEST_LIFE_MS = 12_000;
/** Over so long the events of a life happen: some of them while n8n is off, or starts. */
const FLOW_MS = 20_000;
const PATIENCE_MS = 600_000;
const MOST_STARTS = 3;
/** The first repeats of the agency, in seconds. */
const REPEATS = [61, 301];

/** A flow of events, through kills of n8n at random moments. */
export interface KilledFlow {
  version: HostVersion;
  events: number;
  kills: number;
  seed: number;
}

/** What became of it. */
export interface FlowResult {
  happened: number;
  /** Events that never ran, or more than once. */
  wrong: string[];
  /** Executions that a kill cut off before the next node, and that were retried. */
  retried: number;
  /** Starts at which n8n ended itself, as it may after a kill. */
  refusedStarts: number;
  /** How many executions there were, by their status. */
  executions: Record<string, number>;
}

/** Lets events happen while n8n is killed again and again, retries what was cut off, and counts how often each ran. */
export async function throughKills(flow: KilledFlow): Promise<FlowResult> {
  const counter = await startCounter();
  const options = { version: flow.version, sandboxArgs: ['--rate-limit', 'off', '--documents', '50'] };
  try {
    return await onStage({ say: () => undefined }, options, async (stage) => await run(stage, counter, flow));
  } finally {
    await counter.close();
  }
}

async function run(
  stage: Stage,
  { counts, ...counter }: Counter,
  { events, kills, seed }: KilledFlow,
): Promise<FlowResult> {
  const { agency, userFolder } = stage;
  const sandbox = testSandbox({ ...agency, close: async () => await agency.process.stop() });
  const target = await activeTrigger(stage, OUR_TRIGGER, reporting({ counts, ...counter }));
  const before = (await idsOf(sandbox)).length;
  const random = newRandom(seed);
  let refusedStarts = 0;
  for (let life = 0; life < kills; life += 1) {
    const moments = Array.from({ length: Math.ceil(events / kills) }, () => random.int(0, FLOW_MS)).sort(
      (one, other) => one - other,
    );
    const began = Date.now();
    const happen = async () => {
      for (const moment of moments) {
        await wait(Math.max(0, began + moment - Date.now()));
        await control(agency, '/events', { count: 1 });
      }
    };
    const kill = async () => {
      await wait(random.int(0, LONGEST_LIFE_MS));
      refusedStarts += await killAndStart(stage);
    };
    await Promise.all([happen(), kill()]);
  }
  const all = (await idsOf(sandbox)).slice(before);
  const database = new HostDatabase(userFolder);
  const retried = new Set<string>();
  await settled(async () => {
    const missing = new Set(all.filter((id) => !counts.has(id)));
    for (const { id, text } of database.cutOff(target.id)) {
      const [event = ''] = /evt_\w+/.exec(text) ?? [];
      if (!missing.has(event) || retried.has(event)) continue;
      retried.add(event);
      await Promise.allSettled([retryExecution(stage.session, id)]);
    }
    return missing.size === 0;
  });
  for (const advanceSeconds of REPEATS) {
    await control(agency, '/clock', { advanceSeconds });
    await wait(LONGEST_LIFE_MS);
  }
  return {
    happened: all.length,
    wrong: all.filter((id) => counts.get(id) !== 1).map((id) => `${id}: ${counts.get(id) ?? 0}`),
    retried: retried.size,
    refusedStarts,
    executions: Object.fromEntries(database.executions(target.id)),
  };
}

/** Kills n8n, and starts it until it runs, as what supervises it does. @returns how many starts were in vain */
async function killAndStart(stage: Stage): Promise<number> {
  for (let starts = 0; starts < MOST_STARTS; starts += 1) {
    const [start] = await Promise.allSettled([stage.restart('kill')]);
    if (start.status === 'fulfilled') return starts;
  }
  throw new Error(`n8n did not start in ${MOST_STARTS} times.`);
}

/** Waits until all is done, or for long enough: what is missing then is found in the result. */
async function settled(isDone: () => Promise<boolean>): Promise<void> {
  const look = async () => {
    await wait(1_000);
    return await isDone();
  };
  await Promise.allSettled([until('all events to run', look, PATIENCE_MS)]);
}
