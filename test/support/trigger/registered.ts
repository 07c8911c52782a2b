import { Agency } from '../sandbox/agency';
import { anEvent, signedCall } from './signing';
import { Host, keptEndpoint, type StoredWorkflow } from './trigger';

/**
 * One agency for all tests of a Jest file, without endpoints before each.
 *
 * @returns how a test gets at it
 */
export function useAgency(): () => Agency {
  let running: Agency | undefined;
  const get = () => {
    if (running === undefined) throw new Error('The agency runs only while tests do.');
    return running;
  };
  beforeAll(async () => {
    running = await Agency.start();
  });
  beforeEach(async () => await get().clear());
  afterAll(async () => await running?.stop());
  return get;
}

/** The address that n8n gives the trigger of a workflow. */
export function urlOf({ host, webhookId }: StoredWorkflow): string {
  return `${host}/webhook/${webhookId}/webhook`;
}

/** The endpoint that the node keeps. */
export function idOf(stored: StoredWorkflow): string {
  return String(keptEndpoint(stored)?.id);
}

/** Whether the workflow takes what is signed with the secret that it keeps. */
export async function takesCalls(stored: StoredWorkflow): Promise<boolean> {
  const [type = 'document.received'] = [stored.parameters.events ?? []].flat().map(String);
  const event = anEvent({ id: `evt_${Math.random()}`, type });
  const call = signedCall(JSON.stringify(event), String(keptEndpoint(stored)?.secret), event.id);
  return (await new Host().call(stored, call)).items !== undefined;
}

/** Expects the workflow to be active: it has the agency's only endpoint, set like this, and takes its calls. */
export async function expectOnly(agency: Agency, stored: StoredWorkflow, eventTypes = ['*']): Promise<void> {
  const endpoint = { id: idOf(stored), url: urlOf(stored), eventTypes, enabled: true };
  expect(agency.endpoints()).toEqual([endpoint]);
  expect(await takesCalls(stored)).toBe(true);
}
