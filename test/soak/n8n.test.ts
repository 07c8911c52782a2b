import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onStage } from '../bench/host/stage';
import { nameOf } from '../nodes/items/hardship/uploads';
import { HostClock } from '../support/time/host-clock';
import { type DaysOff, takeDaysOff } from './n8n/days-off';
import { uploaded, uploadThroughKill } from './n8n/killed';
import { throughKills } from './n8n/killed-flow';
import { MemoryReport } from './n8n/memory';
import { siege, type SiegeResult } from './n8n/siege';

const MINUTE = 60_000;
const UPLOADS = 2000;
/** Events under kills of n8n; fewer for a short run. */
const EVENTS = Number(process.env.SOAK_EVENTS ?? 2000);
const EVENTS_PER_KILL = 25;
const GENUINE = 2000;
const HOSTILE = 20_000;
/** Events while n8n is off, and while it catches up. */
const MISSED = 10_000;
const LIVE = 200;
/** Five executions run at a time, and the next node of one may be slow. */
const MOST_OUT_OF_ORDER = 50;
const MOST_WAIT_MS = 10_000;
/** How much more n8n may hold after the last third of the calls than before. What it holds also falls in between. */
const MOST_GROWTH = 1.15;

async function besieged(engine: Record<string, string>, part: number): Promise<SiegeResult> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-memory-'));
  try {
    const report = new MemoryReport(join(folder, 'memory.json'));
    const environment = { ...engine, ...report.environment };
    const options = { environment, sandboxArgs: ['--rate-limit', 'off'] };
    return await onStage(
      { say: () => undefined },
      options,
      async (stage) => await siege(stage, report, GENUINE / part, HOSTILE / part),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function afterDaysOff(isPaused: boolean): Promise<DaysOff> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-days-off-'));
  try {
    const report = new MemoryReport(join(folder, 'memory.json'));
    const clock = new HostClock(join(folder, 'clock'));
    await clock.setAhead(0);
    const environment = {
      ...report.environment,
      ...clock.environment,
      NODE_OPTIONS: `${report.environment.NODE_OPTIONS} ${clock.environment.NODE_OPTIONS}`,
    };
    const options = { environment, sandboxArgs: ['--rate-limit', 'off'] };
    return await onStage(
      { say: () => undefined },
      options,
      async (stage) => await takeDaysOff(stage, clock, report, { missed: MISSED, live: LIVE, isPaused }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

function expectHeld({ wrong, foreign, taken, refused, memory }: SiegeResult): void {
  console.log(`n8n's memory in MB: ${JSON.stringify(memory)}`);
  expect({ wrong, foreign, taken, refused }).toEqual({ wrong: [], foreign: [], taken: [], refused: [] });
  const [first = 0, second = 0, third = Number.NaN] = memory.map(({ held }) => held);
  expect(third).toBeLessThan(Math.max(first, second) * MOST_GROWTH);
}

describe('a real n8n', () => {
  it(
    'files each of 2,000 documents once when it is killed in the middle and the execution is retried',
    async () => {
      const killed = await uploadThroughKill(UPLOADS);
      console.log(`${killed.atKill} documents were there when n8n was killed`);
      expect(killed.retried.error).toBeUndefined();
      const names = Array.from({ length: UPLOADS }, (_, index) => nameOf(index));
      expect([...killed.documents.keys()].sort()).toEqual([...names].sort());
      expect([...killed.documents.values()].filter((ids) => ids.length !== 1)).toEqual([]);
      const made = uploaded(killed);
      expect(made).toHaveLength(UPLOADS);
      expect(made.filter(([name, id]) => killed.documents.get(String(name))?.[0] !== id)).toEqual([]);
    },
    40 * MINUTE,
  );

  it(
    'runs each of 2,000 events once among 20,000 hostile calls, with the legacy expression engine',
    async () => expectHeld(await besieged({ N8N_EXPRESSION_ENGINE: 'legacy' }, 1)),
    40 * MINUTE,
  );

  it(
    'runs each of 500 events once among 5,000 hostile calls, with its own expression engine',
    async () => expectHeld(await besieged({}, 4)),
    40 * MINUTE,
  );

  it.each(['2.41.1', '1.123.81'] as const)(
    `runs each of ${EVENTS} events once when it is killed at random moments, version %s`,
    async (version) => {
      const seed = Number(process.env.SOAK_SEED ?? Date.now() % 2 ** 31);
      const kills = Math.ceil(EVENTS / EVENTS_PER_KILL);
      const result = await throughKills({ version, events: EVENTS, kills, seed });
      console.log(JSON.stringify({ seed, kills, ...result }));
      expect({ seed, wrong: result.wrong }).toEqual({ seed, wrong: [] });
    },
    180 * MINUTE,
  );

  it.each([
    ['the agency tries in vain to deliver', false],
    ['the endpoint is paused', true],
  ])(
    'runs each of 10,000 events of three days off once, the oldest first, when %s',
    async (_, isPaused) => {
      const { wrong, outOfOrder, slowest, memory } = await afterDaysOff(isPaused);
      console.log(`${outOfOrder} places out of order; the editor waited ${slowest} ms at most`);
      console.log(`n8n's memory in MB: ${JSON.stringify(memory)}`);
      expect(wrong).toEqual([]);
      expect(outOfOrder).toBeLessThanOrEqual(MOST_OUT_OF_ORDER);
      expect(slowest).toBeLessThan(MOST_WAIT_MS);
      const [half = 0, all = Number.NaN] = memory.map(({ held }) => held);
      expect(all).toBeLessThan(half * MOST_GROWTH);
    },
    90 * MINUTE,
  );
});
