import { AgencyClient, type ClientOptions } from '../../../nodes/shared/api/client';
import { FakeClock } from '../../support/time/clock';

/** A client of an agency that never answers: each request is given up after its timeout. */
function silentAgency(options: ClientOptions) {
  let now = 1_000_000;
  const timeouts: unknown[] = [];
  const client = new AgencyClient(
    async ({ timeout }) => {
      timeouts.push(timeout);
      now += Number(timeout);
      throw Object.assign(new Error('timeout exceeded'), { code: 'ECONNABORTED' });
    },
    'https://agency.example',
    {
      ...options,
      clock: {
        now: () => now,
        sleep: async (milliseconds) => {
          now += milliseconds;
        },
        random: () => 0,
      },
    },
  );
  return { ask: async () => await client.request('GET /companies', {}), timeouts };
}

test('asks an agency that does not answer once while a person waits, and says so in time', async () => {
  const { ask, timeouts } = silentAgency({ attempts: 3, timeoutMs: 10_000 });
  await expect(ask()).rejects.toThrow('The agency at https://agency.example could not be reached');
  expect(timeouts).toEqual([10_000]);
});

test('asks it again in an execution, with a minute for each answer', async () => {
  const { ask, timeouts } = silentAgency({ attempts: 3 });
  await expect(ask()).rejects.toThrow('could not be reached');
  expect(timeouts).toEqual([60_000, 60_000, 60_000]);
});

describe.each([
  ['while a person waits', { attempts: 3, timeoutMs: 10_000 }, 10, '10 seconds', '11 seconds'],
  ['in an execution', {}, 120, '2 minutes', '3 minutes'],
])('%s', (_, options, longest, longestShown, longerShown) => {
  /** A client of an agency that asks for so many seconds of patience, and answers then. */
  function busyAgency(seconds: number) {
    const clock = new FakeClock();
    let asked = 0;
    const client = new AgencyClient(
      async () => {
        asked += 1;
        const headers = { 'retry-after': String(seconds) };
        return {
          headers,
          ...(asked === 1
            ? { statusCode: 429, body: '' }
            : { statusCode: 200, body: '{"data":[],"nextCursor":null}' }),
        };
      },
      'https://agency.example',
      { ...options, clock },
    );
    return { ask: async () => await client.request('GET /companies', {}), clock };
  }

  test(`a Retry-After of ${longest} seconds is waited for`, async () => {
    const { ask, clock } = busyAgency(longest);
    expect(await ask()).toMatchObject({ status: 200 });
    expect(clock.slept.length).toBeGreaterThanOrEqual(longest);
  });

  test('a longer one is told at once, with both numbers', async () => {
    const { ask, clock } = busyAgency(longest + 1);
    await expect(ask()).rejects.toMatchObject({
      message: `The agency does not accept requests with this key for the next ${longerShown}.`,
      description: `The node waits for ${longestShown} at most. Try again in ${longerShown}.`,
      status: 429,
    });
    expect(clock.slept).toEqual([]);
  });
});
