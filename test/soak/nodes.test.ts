import { activateAgainAndAgain } from '../nodes/items/hardship/activations';
import { expectEachOnce, uploadThroughFaults } from '../nodes/items/hardship/uploads';
import { useAgency } from '../support/trigger/registered';
import { startProcess, type TestSandbox } from '../support/sandbox/sandbox';

const MINUTE = 60_000;
const UPLOADS = 2000;

const agency = useAgency();

/** The sandbox in a process of its own, so that it and the node do not wait for each other. */
async function withSandbox(work: (sandbox: TestSandbox) => Promise<void>): Promise<void> {
  const running = await startProcess(['--rate-limit', 'off', '--documents', '50']);
  try {
    await work(running);
  } finally {
    await running.close();
  }
}

describe('while one in five requests goes wrong', () => {
  it(
    'each of 2,000 uploads is one document, paired to its item',
    async () =>
      await withSandbox(async (sandbox) => {
        expectEachOnce(await uploadThroughFaults(sandbox, UPLOADS, { retryAfter: 1 }), UPLOADS);
      }),
    20 * MINUTE,
  );

  it(
    'each of 2,000 uploads is one document when the node fails and n8n runs it again',
    async () =>
      await withSandbox(async (sandbox) => {
        expectEachOnce(await uploadThroughFaults(sandbox, UPLOADS, { retryAfter: 1, fails: true }), UPLOADS);
      }),
    20 * MINUTE,
  );

  it(
    'there is never more than one webhook endpoint in 200 activations, and none at the end',
    async () => {
      const { most, left, refused, killed } = await activateAgainAndAgain(agency(), 200);
      console.log(`${refused} activations or deactivations were given up, n8n was killed after ${killed}`);
      expect({ most, left }).toEqual({ most: 1, left: 0 });
    },
    20 * MINUTE,
  );
});
