import { passTimeFaster } from '../../support/time/fast-time';
import { tryRandomRuns } from '../../support/action/random-runs';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 0 });

beforeEach(() => passTimeFaster(1000));

test('whatever items, values and answers come, what failed says so in words', async () => {
  await tryRandomRuns(sandbox, { numRuns: 8 });
});
