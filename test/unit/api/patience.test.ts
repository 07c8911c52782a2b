import { AgencyClient, type ClientOptions } from '../../../nodes/shared/api/client';

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
  return { ask: async () => await client.request({ method: 'GET', path: '/companies' }), timeouts };
}

test('asks an agency that does not answer once while a person waits, and says so in time', async () => {
  const { ask, timeouts } = silentAgency({ attempts: 3, patienceMs: 10_000 });
  await expect(ask()).rejects.toThrow('The agency at https://agency.example could not be reached');
  expect(timeouts).toEqual([10_000]);
});

test('asks it again in an execution, with a minute for each answer', async () => {
  const { ask, timeouts } = silentAgency({ attempts: 3 });
  await expect(ask()).rejects.toThrow('could not be reached');
  expect(timeouts).toEqual([60_000, 60_000, 60_000]);
});
