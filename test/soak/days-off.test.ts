import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onStage } from '../bench/host/stage';
import { HostClock } from '../support/time/host-clock';
import { type DaysOff, takeDaysOff } from './n8n/days-off';
import { MemoryReport, MOST_GROWTH } from './n8n/memory';

const MINUTE = 60_000;
/** Events while n8n is off, and while it catches up; fewer for a short run. */
const MISSED = Number(process.env.SOAK_EVENTS ?? 10_000);
const LIVE = 200;
/** Five executions run at a time, and the next node of one may be slow. */
const MOST_OUT_OF_ORDER = 50;
const MOST_WAIT_MS = 10_000;

async function afterDaysOff(isPaused: boolean): Promise<DaysOff> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-days-off-'));
  try {
    const report = new MemoryReport(join(folder, 'memory.json'));
    const clock = new HostClock(join(folder, 'clock'));
    await clock.setAhead(0);
    const environment = {
      ...report.environment,
      ...clock.environment,
      // With n8n's own engine, an execution takes several times as long.
      N8N_EXPRESSION_ENGINE: 'legacy',
      NODE_OPTIONS: `${report.environment.NODE_OPTIONS} ${clock.environment.NODE_OPTIONS}`,
    };
    const options = { environment, sandboxArgs: ['--rate-limit', 'off', '--documents', '50'] };
    return await onStage(
      { say: () => undefined },
      options,
      async (stage) => await takeDaysOff(stage, clock, report, { missed: MISSED, live: LIVE, isPaused }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

it.each([
  ['the agency tries in vain to deliver', false],
  ['the endpoint is paused', true],
])(
  `a real n8n runs each of ${MISSED} events of three days off once, the oldest first, when %s`,
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
