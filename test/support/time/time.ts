import { setTimeout as pass } from 'node:timers/promises';
import { systemClock } from '../../../nodes/shared/api/requests/wait';
import type { TestSandbox } from '../sandbox/sandbox';

/** Real milliseconds that a wait takes, in which waits that began at the same time come together. */
const REAL_MS = 5;

/**
 * Lets the node's waits pass at once, on the node's clock and the sandbox's alike. Waits at the same time overlap, as
 * real ones do.
 *
 * @returns how long each wait was meant to be, in milliseconds, as the node asks for them
 */
export function fastTime(sandbox: () => TestSandbox): { waits: number[] } {
  const time = { waits: [] as number[] };
  let ahead = 0;
  const now = () => Date.now() + ahead;
  beforeEach(() => {
    time.waits.length = 0;
    ahead = 0;
    jest.spyOn(systemClock, 'now').mockImplementation(now);
    jest.spyOn(systemClock, 'sleep').mockImplementation(async (milliseconds) => {
      time.waits.push(milliseconds);
      const end = now() + milliseconds;
      await pass(REAL_MS);
      const left = end - now();
      if (left <= 0) return;
      ahead += left;
      await sandbox().control('clock', { advanceSeconds: left / 1000 });
    });
  });
  afterEach(() => jest.restoreAllMocks());
  return time;
}
