import { sleep } from 'n8n-workflow';
import { systemClock } from '../../nodes/shared/api/wait';

/**
 * Lets time pass so many times as fast for the nodes' waits and for streams that stand still. The network, and what
 * n8n and the sandbox do, take the time that they take.
 */
export function passTimeFaster(factor: number): void {
  const start = Date.now();
  jest.spyOn(systemClock, 'now').mockImplementation(() => start + (Date.now() - start) * factor);
  jest
    .spyOn(systemClock, 'sleep')
    .mockImplementation(async (milliseconds) => await sleep(milliseconds / factor));
}
