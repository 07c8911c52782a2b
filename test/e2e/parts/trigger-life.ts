import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createCredential, type Credential } from '../../../tools/n8n/credentials';
import { listenForTestEvent } from '../../../tools/n8n/executions';
import type { HostVersion } from '../../../tools/n8n/install';
import { arrivedRequests } from '../../../tools/n8n/agency';
import { waitFor } from '../../../tools/n8n/process';
import {
  activate,
  deactivate,
  importWorkflow,
  readWorkflow,
  saveWorkflow,
  type WorkflowNode,
} from '../../../tools/n8n/workflows';
import type { Context, Part } from '../part';
import { keptEndpoints, planFaults } from '../support/agency';
import { eventArrives, noEventArrives } from '../support/events';
import { type OpenStage, openStage } from '../support/stages';
import { listeningWorkflow, TRIGGER } from '../support/workflows';

interface Mode {
  name: string;
  version: HostVersion;
  environment: Record<string, string>;
}

const MODES: Mode[] = [
  // How long n8n waits for a publication that it was killed in: two minutes unless told.
  {
    name: 'default',
    version: '2.41.1',
    environment: { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20' },
  },
  {
    name: 'classic',
    version: '2.41.1',
    environment: { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' },
  },
  { name: '1.x', version: '1.123.81', environment: {} },
];

/** What becomes of a trigger's webhook endpoint, whatever a person does; the agency's endpoints are counted after each step. */
export const triggerLife: Part = {
  name: 'trigger-life',
  run: async (context) => {
    for (const mode of MODES) await live(context, mode);
  },
};

async function live(context: Context, { name, version, environment }: Mode): Promise<void> {
  const stage = await openStage(context, version, { environment });
  const credential = await createCredential(stage.session, {
    name: 'Accounting Agency account',
    type: 'accountingAgencyApi',
    data: { address: stage.agency.url, token: stage.agency.keys.full },
  });
  const look = (what: string, step: () => Promise<void>) => context.check(version, `${name}: ${what}`, step);
  const { session } = stage;
  const { id } = await importWorkflow(session, listeningWorkflow(credential));
  await look('publishing five times leaves one endpoint', async () => {
    for (let times = 0; times < 5; times += 1) {
      deepEqual(await activate(session, id), { active: true, messages: [] });
      await has(stage, 1);
      if (times === 4) break;
      await deactivate(session, id);
      await has(stage, 0);
    }
    for (let times = 0; times < 5; times += 1) await activate(session, id);
    await has(stage, 1);
    await eventArrives(stage, id);
  });
  await look('changing the events changes the endpoint', async () => {
    await changeEvents(stage, id, { events: 'chosen', eventTypes: ['document.ocr_completed'] });
    equal((await has(stage, 1))[0]?.eventTypes, '["document.ocr_completed"]');
    await noEventArrives(stage, id);
    await changeEvents(stage, id, { events: 'all' });
    equal((await has(stage, 1))[0]?.eventTypes, '["*"]');
    await eventArrives(stage, id);
  });
  await look('a restart and a kill change nothing', async () => {
    for (const how of ['stop', 'kill'] as const) {
      const before = await has(stage, 1);
      await stage.restart(how);
      deepEqual((await has(stage, 1))[0]?.id, before[0]?.id);
      await eventArrives(stage, id);
    }
  });
  await look('listening for a test event adds an endpoint for the test only', async () => {
    await listenForTestEvent(session, id, TRIGGER);
    await has(stage, 2);
    await eventArrives(stage, id);
    await has(stage, 1);
    await eventArrives(stage, id);
  });
  await look('a duplicate has an endpoint of its own', () => duplicate(stage, id));
  await look('an imported copy takes over nothing', () => imported(stage, id));
  await look('deactivating removes the endpoint', async () => {
    await deactivate(session, id);
    await has(stage, 0);
  });
  await look('a kill before n8n has noted the endpoint leaves one', () => killed(stage, credential));
}

/** Changes what the trigger is set to, and publishes it. */
async function changeEvents({ session }: OpenStage, id: string, events: object): Promise<void> {
  const { nodes, connections } = await readWorkflow(session, id);
  const changed = nodes.map((node) =>
    node.name === TRIGGER ? { ...node, parameters: { ...node.parameters, ...events } } : node,
  );
  await saveWorkflow(session, id, { nodes: changed, connections });
  deepEqual(await activate(session, id), { active: true, messages: [] });
}

/** What the editor's "Duplicate" makes: a copy whose webhook addresses are new. */
async function duplicate(stage: OpenStage, id: string): Promise<void> {
  const { session } = stage;
  const [own] = await has(stage, 1);
  const copy = await copyOf(stage, id, (node) => ({ ...node, webhookId: randomUUID() }));
  deepEqual(await activate(session, copy), { active: true, messages: [] });
  equal(new Set((await has(stage, 2)).map(({ url }) => url)).size, 2);
  await eventArrives(stage, id);
  await eventArrives(stage, copy);
  await deactivate(session, copy);
  deepEqual(await has(stage, 1), [own]);
  await eventArrives(stage, id);
}

/** A copy with the same webhook address and static data, which n8n refuses to run beside the original. */
async function imported(stage: OpenStage, id: string): Promise<void> {
  const { session } = stage;
  const [own] = await has(stage, 1);
  const copy = await copyOf(stage, id, (node) => node);
  const { messages } = await activate(session, copy);
  match(messages.join(' '), /conflict|already/i);
  deepEqual(await has(stage, 1), [own]);
  await deactivate(session, copy);
  deepEqual(await has(stage, 1), [own]);
  await eventArrives(stage, id);
}

async function copyOf(
  { session }: OpenStage,
  id: string,
  change: (node: WorkflowNode) => WorkflowNode,
): Promise<string> {
  const { nodes, connections, staticData } = await readWorkflow(session, id);
  const file = { name: 'A copy', nodes: nodes.map(change), connections, staticData };
  return (await importWorkflow(session, file)).id;
}

/** n8n is killed while the agency makes the endpoint: it is there, and n8n knows nothing of it. */
async function killed(stage: OpenStage, credential: Credential): Promise<void> {
  const { agency, session } = stage;
  const { id } = await importWorkflow(session, listeningWorkflow(credential));
  const made = (await creations(stage)).length;
  const path = '**/webhook-endpoints';
  await planFaults(agency, [{ method: 'POST', path, times: 1, fault: 'delay', delayMs: 3_000 }]);
  const activation = Promise.allSettled([activate(session, id)]);
  await waitFor(
    'n8n to ask the agency for an endpoint',
    async () => (await creations(stage)).length > made || undefined,
    { seconds: 30 },
  );
  await stage.restart('kill');
  await activation;
  await has(stage, 1);
  // n8n 2.x holds such a trigger for registered, and asks it nothing until it is deactivated.
  await deactivate(session, id);
  deepEqual(await activate(session, id), { active: true, messages: [] });
  await has(stage, 1);
  await eventArrives(stage, id);
  await deactivate(session, id);
  await has(stage, 0);
}

const creations = async ({ agency }: OpenStage) =>
  (await arrivedRequests(agency)).filter(
    ({ method, path }) => method === 'POST' && path.endsWith('/webhook-endpoints'),
  );

/** Waits until the agency has so many endpoints. */
async function has({ dataFile }: OpenStage, count: number) {
  return waitFor(
    `${count} endpoints at the agency`,
    async () => {
      const endpoints = keptEndpoints(dataFile);
      return endpoints.length === count ? endpoints : undefined;
    },
    { seconds: 10, evidence: () => `There are ${keptEndpoints(dataFile).length}.` },
  );
}
