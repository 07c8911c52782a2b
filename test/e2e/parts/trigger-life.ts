import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createCredential, type Credential } from '../../../tools/n8n/credentials';
import { listenForTestEvent } from '../../../tools/n8n/executions';
import { arrivedRequests } from '../../../tools/n8n/agency';
import { waitFor } from '../../../tools/n8n/processes/process';
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
import { N8N_1, N8N_2, N8N_2_CLASSIC, type Variant } from '../variants';
import { alwaysOutput } from './trigger-life/always-output';
import { lastingOutage } from './trigger-life/lasting-outage';
import { recovery } from './trigger-life/recovery';
import { feedTrigger } from './trigger-life/feed';

const ENVIRONMENTS = new Map<Variant, Record<string, string>>([
  // How long n8n waits for a publication that it was killed in: two minutes unless told.
  [N8N_2, { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20' }],
  [N8N_2_CLASSIC, { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' }],
]);

/** What becomes of a trigger's webhook endpoint, whatever a person does; the agency's endpoints are counted after each step. */
export const triggerLife: Part = {
  name: 'trigger-life',
  on: [N8N_2, N8N_2_CLASSIC, N8N_1],
  run,
};

async function run(context: Context): Promise<void> {
  const { check, variant } = context;
  const stage = await openStage(context, { environment: ENVIRONMENTS.get(variant) });
  const credential = await createCredential(stage.session, {
    name: 'Accounting Agency account',
    type: 'accountingAgencyApi',
    data: { address: stage.agency.url, token: stage.agency.keys.full },
  });
  const { session } = stage;
  const { id } = await importWorkflow(session, listeningWorkflow(credential));
  await check('publishing five times leaves one endpoint', async () => {
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
  await check('changing the events changes the endpoint', async () => {
    await changeEvents(stage, id, { events: ['document.ocr_completed'] });
    equal((await has(stage, 1))[0]?.eventTypes, '["document.ocr_completed"]');
    await noEventArrives(stage, id);
    await changeEvents(stage, id, { events: ['all'] });
    equal((await has(stage, 1))[0]?.eventTypes, '["*"]');
    await eventArrives(stage, id);
  });
  await check('a restart and a kill change nothing', async () => {
    for (const how of ['stop', 'kill'] as const) {
      const before = await has(stage, 1);
      await stage.restart(how);
      deepEqual((await has(stage, 1))[0]?.id, before[0]?.id);
      await eventArrives(stage, id);
    }
  });
  await check('with Always Output Data a repeated event starts nothing', () => alwaysOutput(stage, id));
  await check('listening for a test event adds an endpoint for the test only', async () => {
    await listenForTestEvent(session, id, TRIGGER);
    await has(stage, 2);
    await eventArrives(stage, id);
    await has(stage, 1);
    await eventArrives(stage, id);
  });
  await check('a duplicate has an endpoint of its own', () => duplicate(stage, id));
  await check('an imported copy takes over nothing', () => imported(stage, id));
  await check('deactivating removes the endpoint', async () => {
    await deactivate(session, id);
    await has(stage, 0);
  });
  await check('the Feed Trigger runs each event once, also after a kill and a pause', () =>
    feedTrigger(stage, credential),
  );
  await check('what was missed while unpublished, killed, or without the endpoint runs once', () =>
    recovery(stage, credential),
  );
  await check('a kill before n8n has noted the endpoint leaves one', () => killed(stage, credential));
  // n8n 1 offers a trigger no failed execution.
  if (variant !== N8N_2) return;
  await check('an outage that lasts is a failed execution, which runs the error workflow', () =>
    lastingOutage(stage, credential),
  );
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
  await planFaults(agency, [{ method: 'POST', path, times: 1, fault: 'delay', delayMs: 6_000 }]);
  const activation = Promise.allSettled([activate(session, id)]);
  await waitFor(
    'n8n to ask the agency for an endpoint',
    async () => (await creations(stage)).length > made || undefined,
    { seconds: 120 },
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
    { seconds: 120, evidence: () => `There are ${keptEndpoints(dataFile).length}.` },
  );
}
