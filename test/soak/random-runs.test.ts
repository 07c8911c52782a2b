import { passTimeFaster } from '../support/time/fast-time';
import { tryRandomRuns } from '../support/action/random-runs';
import { useSandbox } from '../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 0 });

const MINUTE = 60_000;

beforeEach(() => passTimeFaster(1000));

test(
  'whatever items, values and answers come for ten minutes, what failed says so in words',
  async () => {
    await tryRandomRuns(sandbox, {
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: 10 * MINUTE,
      markInterruptAsFailure: false,
    });
  },
  12 * MINUTE,
);
