import { sleep } from 'n8n-workflow';
import { systemClock } from '../../../nodes/shared/api/requests/wait';

/**
 * Lets time pass so many times as fast for the nodes' waits and for streams that stand still. The network, and what
 * n8n and the sandbox do, take the time that they take.
 *
 * @returns what lets so many milliseconds pass at once
 */
export function passTimeFaster(factor: number): (milliseconds: number) => void {
  const start = Date.now();
  let skipped = 0;
  jest.spyOn(systemClock, 'now').mockImplementation(() => start + (Date.now() - start) * factor + skipped);
  jest
    .spyOn(systemClock, 'sleep')
    .mockImplementation(async (milliseconds) => await sleep(milliseconds / factor));
  return (milliseconds) => {
    skipped += milliseconds;
  };
}
