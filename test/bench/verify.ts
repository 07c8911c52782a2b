import { readDelivery } from '../../nodes/AccountingAgencyTrigger/signed-call';
import { anEvent, signedCall } from '../support/trigger/signing';
import { cpuSince, median, shown } from './measuring/measure';
import type { Bench } from './measuring/table';

const BYTES = 2048;
const CALLS = 500;
const ROUNDS = 21;
const MOST_MS = 1;

/** CPU time of verifying and reading one signed call. */
export const verify: Bench = {
  name: 'verify',
  async run() {
    const empty = JSON.stringify(anEvent({ data: { note: '' } }));
    const body = JSON.stringify(anEvent({ data: { note: 'x'.repeat(BYTES - Buffer.byteLength(empty)) } }));
    const call = signedCall(body);
    const round = () => {
      const before = process.cpuUsage();
      for (let calls = 0; calls < CALLS; calls += 1) {
        if (!('event' in readDelivery(call))) throw new Error('A genuine call was refused.');
      }
      return { value: cpuSince(before) / CALLS };
    };
    round();
    const measured = Array.from({ length: ROUNDS }, round);
    const reached = median(measured.map(({ value }) => value));
    return [
      {
        work: `Verify and read an event of ${BYTES} bytes`,
        ours: shown(measured, 'ms of CPU', 3),
        other: 'Webhook node: checks no signature',
        floor: '–',
        ratio: `${reached.toFixed(3)} ms of CPU`,
        target: `at most ${MOST_MS} ms of CPU`,
        met: reached <= MOST_MS,
      },
    ];
  },
};
