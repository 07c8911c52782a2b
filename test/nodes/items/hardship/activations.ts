import type { Agency } from '../../../support/sandbox/agency';
import { mixedFaults } from '../../../support/proxies/faults';
import { Host, storedWorkflow } from '../../../support/trigger/trigger';

/** What came of activating and deactivating again and again. */
export interface Activations {
  /** The most endpoints that there were at a time. */
  most: number;
  /** Those that were left at the end. */
  left: number;
  /** Activations that did not succeed, and those after which n8n was killed. */
  refused: number;
  killed: number;
}

const TRIES = 5;

/**
 * Activates and deactivates a workflow while requests go wrong, and lets n8n die between the hooks and the saving of
 * what they noted, as a kill does. Each is tried as often as n8n tries it.
 */
export async function activateAgainAndAgain(agency: Agency, rounds: number): Promise<Activations> {
  const host = new Host();
  const stored = storedWorkflow(agency.credential());
  const seen = { most: 0, left: 0, refused: 0, killed: 0 };
  const look = () => {
    seen.most = Math.max(seen.most, agency.endpoints().length);
  };
  await agency.sandbox.control('faults', mixedFaults(0.2, 0));
  for (let round = 0; round < rounds; round += 1) {
    if (round % 4 === 1) {
      seen.killed += (await succeeds(async () => await host.activateAndDie(stored))) ? 1 : 0;
      look();
    }
    if (!(await tried(async () => await host.activate(stored)))) seen.refused += 1;
    look();
    if (!(await tried(async () => await host.deactivate(stored)))) seen.refused += 1;
    look();
  }
  await agency.sandbox.control('faults', []);
  await host.activate(stored);
  look();
  await host.deactivate(stored);
  return { ...seen, left: agency.endpoints().length };
}

async function tried(work: () => Promise<void>): Promise<boolean> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if (await succeeds(work)) return true;
  }
  return false;
}

async function succeeds(work: () => Promise<void>): Promise<boolean> {
  const [outcome] = await Promise.allSettled([work()]);
  return outcome.status === 'fulfilled';
}
