import { useSandbox } from '../../support/sandbox/sandbox';
import { useAgency } from '../../support/trigger/registered';
import { activateAgainAndAgain } from './hardship/activations';
import { expectEachOnce, uploadThroughFaults } from './hardship/uploads';

const sandbox = useSandbox({ documents: 20, rateLimit: 'off' });
const agency = useAgency();

describe('while one in five requests goes wrong', () => {
  test('each upload is one document, paired to its item', async () => {
    expectEachOnce(await uploadThroughFaults(sandbox(), 40, { retryAfter: 0 }), 40);
  });

  test('each upload is one document when the node fails and n8n runs it again', async () => {
    expectEachOnce(await uploadThroughFaults(sandbox(), 30, { retryAfter: 0, fails: true }), 30);
  });

  test('there is never more than one webhook endpoint, and none at the end', async () => {
    const { most, left } = await activateAgainAndAgain(agency(), 4);
    expect({ most, left }).toEqual({ most: 1, left: 0 });
  });
});
