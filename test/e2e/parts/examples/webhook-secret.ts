import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpointsLeft } from '../../../../tools/n8n/agency';
import { listExecutions, runWorkflow } from '../../../../tools/n8n/executions';
import { waitFor } from '../../../../tools/n8n/processes/process';
import type { Context } from '../../part';
import { type Desk, importExample, type Trial } from './desk';

/** A store of secrets that keeps what it gets and answers with the status that it is told. */
interface Store {
  url: string;
  bodies: string[];
  answer: number;
}

async function openStore(undo: Context['undo']): Promise<Store> {
  const store: Store = { url: '', bodies: [], answer: 200 };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      store.bodies.push(text);
      response.writeHead(store.answer, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  store.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/secret/data/agency`;
  return store;
}

/** Runs the workflow and waits until the store was asked; gives what it was handed. */
async function handOver(
  { stage: { session } }: Desk,
  workflow: string,
  { bodies }: Store,
): Promise<{ data: { endpointId: string; secret: string } }> {
  const before = bodies.length;
  await runWorkflow(session, workflow, 'Start by hand');
  const text = await waitFor('the store to be asked', async () => bodies[before], { seconds: 180 });
  return JSON.parse(text) as { data: { endpointId: string; secret: string } };
}

/** `webhook-secret.json`. */
export const webhookSecret: Trial = async (desk, check, undo) => {
  const { agency, session } = desk.stage;
  const store = await openStore(undo);
  const workflow = await importExample(desk, 'webhook-secret.json', {
    change: { 'Store the secret': { parameters: { url: store.url } } },
  });
  const before = await endpointsLeft(agency);
  await check('webhook-secret: the store gets the secret, and the endpoint stays', async () => {
    const { data } = await handOver(desk, workflow, store);
    assert.match(data.secret, /^whsec_/);
    assert.ok(data.endpointId);
    assert.equal(await endpointsLeft(agency), before + 1);
  });
  await check('webhook-secret: an endpoint whose secret was not stored is deleted again', async () => {
    store.answer = 500;
    await handOver(desk, workflow, store);
    await waitFor(
      'the endpoint to be deleted',
      async () => (await endpointsLeft(agency)) === before + 1 || undefined,
      { seconds: 120 },
    );
  });
  await check('webhook-secret: no execution is saved', async () => {
    const saved = () => listExecutions(session, workflow);
    await waitFor('n8n to clear the executions away', async () => (await saved()).length === 0 || undefined, {
      seconds: 120,
    });
  });
};
