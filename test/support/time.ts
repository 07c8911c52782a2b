import { systemClock } from '../../nodes/shared/api/wait';
import type { TestSandbox } from './sandbox';

/**
 * Lets the node's waits pass at once, on the node's clock and the sandbox's alike.
 *
 * @returns how long each wait was meant to be, in milliseconds, as the node asks for them
 */
export function fastTime(sandbox: () => TestSandbox): { waits: number[] } {
  const time = { waits: [] as number[] };
  let ahead = 0;
  beforeEach(() => {
    time.waits.length = 0;
    ahead = 0;
    jest.spyOn(systemClock, 'now').mockImplementation(() => Date.now() + ahead);
    jest.spyOn(systemClock, 'sleep').mockImplementation(async (milliseconds) => {
      time.waits.push(milliseconds);
      ahead += milliseconds;
      await sandbox().control('clock', { advanceSeconds: milliseconds / 1000 });
    });
  });
  afterEach(() => jest.restoreAllMocks());
  return time;
}
