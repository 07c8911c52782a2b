import { startCounter } from './n8n/counter';
import { throughKills } from './n8n/killed-flow';
import { withCluster, withOneProcess } from './n8n/victims';

const MINUTE = 60_000;
/** Events under kills; fewer for a short run. */
const EVENTS = Number(process.env.SOAK_EVENTS ?? 2000);
const EVENTS_PER_KILL = 25;

describe.each(['2.41.1', '1.123.81'] as const)('n8n %s', (version) => {
  it.each([
    ['on its own', withOneProcess],
    ['in queue mode', withCluster],
  ])(
    `runs each of ${EVENTS} events once when it is killed at random moments, %s`,
    async (_, withVictim) => {
      const seed = Number(process.env.SOAK_SEED ?? Date.now() % 2 ** 31);
      const kills = Math.ceil(EVENTS / EVENTS_PER_KILL);
      console.log(JSON.stringify({ seed, kills }));
      const counter = await startCounter();
      try {
        const flow = { events: EVENTS, kills, seed };
        const result = await withVictim(
          version,
          counter,
          async (victim) => await throughKills(victim, counter, flow),
        );
        console.log(JSON.stringify(result));
        const { repeated, missing, thrownAway } = result;
        expect({ seed, repeated }).toEqual({ seed, repeated: [] });
        // Each of them at most is an execution that n8n shows as an error, and whose event the agency has delivered.
        expect(missing.length).toBeLessThanOrEqual(thrownAway);
      } finally {
        await counter.close();
      }
    },
    180 * MINUTE,
  );
});
