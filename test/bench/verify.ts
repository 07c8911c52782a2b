import { readDelivery } from '../../nodes/AccountingAgencyTrigger/signed-call';
import { anEvent, signedCall } from '../support/trigger/signing';
import { median, shown } from './measure';
import type { Bench } from './table';

const BYTES = 2048;
const CALLS = 500;
const MOST_MS = 1;

/** CPU time of verifying and reading one signed call. */
export const verify: Bench = {
  name: 'verify',
  async run({ rounds }) {
    const empty = JSON.stringify(anEvent({ data: { note: '' } }));
    const body = JSON.stringify(anEvent({ data: { note: 'x'.repeat(BYTES - Buffer.byteLength(empty)) } }));
    const call = signedCall(body);
    const round = () => {
      const before = process.cpuUsage();
      for (let calls = 0; calls < CALLS; calls += 1) {
        if (!('event' in readDelivery(call))) throw new Error('A genuine call was refused.');
      }
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000 / CALLS;
    };
    round();
    const measured = Array.from({ length: rounds }, round);
    return [
      {
        work: `Verify and read an event of ${BYTES} bytes`,
        ours: shown(measured, 'ms of CPU', 3),
        other: '–',
        floor: '–',
        ratio: `${median(measured).toFixed(3)} ms of CPU`,
        target: `at most ${MOST_MS} ms of CPU`,
        met: median(measured) <= MOST_MS,
      },
    ];
  },
};
