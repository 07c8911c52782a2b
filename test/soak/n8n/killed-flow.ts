import { setTimeout as wait } from 'node:timers/promises';
import { newRandom, type Random } from '../../../sandbox/seed/random';
import { type Agency, control } from '../../../tools/n8n/agency';
import { retryExecution } from '../../../tools/n8n/executions';
import type { Session } from '../../../tools/n8n/session';
import { testSandbox } from '../../support/sandbox/sandbox';
import { until } from '../../support/time/until';
import type { Counter } from './counter';
import { idsOf } from './days-off';

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
  events: number;
  kills: number;
  seed: number;
}

/** What became of it. */
export interface FlowResult {
  happened: number;
  /** Events that ran more than once, and events that never ran. */
  repeated: string[];
  missing: string[];
  /** Executions whose worker was killed and whose data n8n 2 has thrown away, so that nobody can retry them. */
  thrownAway: number;
  /** Executions that a kill cut off before the next node, and that were retried. */
  retried: number;
  /** Starts at which n8n ended itself, as it may after a kill. */
  refusedStarts: number;
  /** How many executions there were, by their status. */
  executions: Record<string, number>;
  /** Of each event that did not run once: when it ran, and its executions. */
  traces: Record<string, string[]>;
}

/** An n8n with the trigger, of one process or more, that can be killed. */
export interface Victim {
  agency: Agency;
  session: Session;
  /** The ID of the workflow that begins with the trigger. */
  workflow: string;
  executions: Executions;
  /** How many executions n8n has given up. */
  thrownAway(): number;
  /** Kills n8n, or one of its processes, and starts it once. */
  killAndStart(random: Random): Promise<void>;
}

/** What the database of an n8n says of the executions of a workflow. */
export interface Executions {
  /** How many there are, by their status. */
  executions(workflowId: string): Map<string, number>;
  /** Those that a kill cut off, with what they hold as text. */
  cutOff(workflowId: string): Array<{ id: string; text: string }>;
  /** Those that hold a text, each in a line: its ID, status, mode, and when it began and ended. */
  mentions(workflowId: string, text: string): string[];
}

/** Lets events happen while n8n is killed again and again, retries what was cut off, and counts how often each ran. */
export async function throughKills(
  { agency, session, workflow, ...victim }: Victim,
  { runs }: Counter,
  { events, kills, seed }: KilledFlow,
): Promise<FlowResult> {
  const sandbox = testSandbox({ ...agency, close: async () => await agency.process.stop() });
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
      refusedStarts += await untilStarted(async () => await victim.killAndStart(random));
    };
    await Promise.all([happen(), kill()]);
  }
  const all = (await idsOf(sandbox)).slice(before);
  const retried = new Set<string>();
  await settled(async () => {
    const missing = new Set(all.filter((id) => !runs.has(id)));
    // Each execution of such an event, beside what n8n does by itself.
    for (const { id, text } of victim.executions.cutOff(workflow)) {
      const [event = ''] = /evt_\w+/.exec(text) ?? [];
      if (!missing.has(event) || retried.has(id)) continue;
      retried.add(id);
      await Promise.allSettled([retryExecution(session, id)]);
    }
    return missing.size === 0;
  });
  for (const advanceSeconds of REPEATS) {
    await control(agency, '/clock', { advanceSeconds });
    await wait(LONGEST_LIFE_MS);
  }
  const repeated = all.filter((id) => (runs.get(id) ?? []).length > 1);
  const missing = all.filter((id) => !runs.has(id));
  return {
    happened: all.length,
    repeated,
    missing,
    thrownAway: victim.thrownAway(),
    retried: retried.size,
    refusedStarts,
    executions: Object.fromEntries(victim.executions.executions(workflow)),
    traces: Object.fromEntries(
      [...repeated, ...missing].map((id) => [
        id,
        [...(runs.get(id) ?? []), ...victim.executions.mentions(workflow, id)],
      ]),
    ),
  };
}

/** Starts n8n until it runs, as what supervises it does. @returns how many starts were in vain */
async function untilStarted(start: () => Promise<void>): Promise<number> {
  for (let starts = 0; starts < MOST_STARTS; starts += 1) {
    const [started] = await Promise.allSettled([start()]);
    if (started.status === 'fulfilled') return starts;
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
