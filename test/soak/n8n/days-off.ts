import { control } from '../../../tools/n8n/agency';
import type { Stage } from '../../../tools/n8n/stage';
import { readWorkflow } from '../../../tools/n8n/workflows';
import { HostDatabase } from '../../bench/host/database';
import { activeTrigger, OUR_TRIGGER, TRIGGER } from '../../bench/host/target';
import { testSandbox } from '../../support/sandbox/sandbox';
import type { HostClock } from '../../support/time/host-clock';
import { until } from '../../support/time/until';
import { startCounter } from './counter';
import type { Memory, MemoryReport } from './memory';
import { reporting } from './siege';

const HOUR_SECONDS = 3_600;
/** A little less than three days, which is how old an event may be to run. */
const STEPS = 14;
const STEP_SECONDS = 5 * HOUR_SECONDS;
const PATIENCE_MS = 3_600_000;

/** What became of the events of days on which n8n was off, and of those that came while it caught up. */
export interface DaysOff {
  /** Events that ran another number of times than once. */
  wrong: string[];
  /** How many places an event of the days off ran before or after its turn, at most. */
  outOfOrder: number;
  /** The longest time that the editor waited for a workflow meanwhile, in milliseconds. */
  slowest: number;
  /** n8n's memory when half of them had run, and all. */
  memory: Memory[];
}

/**
 * Ends n8n, lets events happen for three days of the agency's clock, and starts n8n again while others happen. Its clock
 * goes with the agency's, but the calls are signed by the machine's: n8n refuses them, and everything comes from the feed.
 *
 * @param missed how many events happen while n8n is off
 * @param live how many happen while it catches up
 * @param isPaused whether the endpoint is paused meanwhile, so that the agency does not even try to deliver
 */
export async function takeDaysOff(
  stage: Stage,
  clock: HostClock,
  report: MemoryReport,
  { missed, live, isPaused }: { missed: number; live: number; isPaused: boolean },
): Promise<DaysOff> {
  const { agency, session } = stage;
  const sandbox = testSandbox({ ...agency, close: async () => await agency.process.stop() });
  const counter = await startCounter();
  try {
    const target = await activeTrigger(stage, OUR_TRIGGER, reporting(counter));
    const before = (await idsOf(sandbox)).length;
    await stage.n8n().stop();
    if (isPaused) {
      const path = `/webhook-endpoints/${new HostDatabase(stage.userFolder).endpoint(target.id, TRIGGER).id}`;
      await sandbox.call({ method: 'PATCH', path, body: { enabled: false } });
    }
    for (let step = 0; step < STEPS; step += 1) {
      await control(agency, '/events', { count: Math.ceil(missed / STEPS) });
      await control(agency, '/clock', { advanceSeconds: STEP_SECONDS });
    }
    const old = (await idsOf(sandbox)).slice(before);
    await clock.setAhead(STEPS * STEP_SECONDS);
    await stage.restart('stop');

    const result: DaysOff = { wrong: [], outOfOrder: 0, slowest: 0, memory: [] };
    const ran = async (count: number) =>
      await until(
        `${count} events to run`,
        async () => {
          const asked = Date.now();
          await readWorkflow(session, target.id);
          result.slowest = Math.max(result.slowest, Date.now() - asked);
          return counter.runs.size >= count;
        },
        PATIENCE_MS,
      );
    for (let happened = 0; happened < live; happened += 10) {
      await control(agency, '/events', { count: 10 });
      await ran(Math.min(counter.runs.size + 10, old.length));
    }
    await ran(old.length / 2);
    result.memory.push(await report.of(stage.n8n().pid));
    const all = (await idsOf(sandbox)).slice(before);
    await ran(all.length);
    result.memory.push(await report.of(stage.n8n().pid));
    // Within the agency's next attempts, nothing runs again.
    await control(agency, '/clock', { advanceSeconds: 61 });
    result.wrong = all.filter((id) => counter.runs.get(id)?.length !== 1);
    const turns = [...counter.runs.keys()].filter((id) => old.includes(id));
    result.outOfOrder = Math.max(...turns.map((id, turn) => Math.abs(turn - old.indexOf(id))));
    return result;
  } finally {
    await counter.close();
  }
}

/** All events of the feed, oldest first. */
export async function idsOf(sandbox: ReturnType<typeof testSandbox>): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ;) {
    const { body } = await sandbox.call<{ data: Array<{ id: string }>; nextCursor: string }>({
      path: '/events',
      query: { limit: 200, ...(after !== undefined && { after }) },
    });
    if (body.data.length === 0) return ids;
    ids.push(...body.data.map(({ id }) => id));
    after = body.nextCursor;
  }
}
