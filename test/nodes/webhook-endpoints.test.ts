import type { INodeParameters } from 'n8n-workflow';
import { AccountingAgency } from '../../nodes/AccountingAgency/AccountingAgency.node';
import type { Records } from '../../nodes/shared/api/types';
import { jsonOf, loggedBody, runAction } from '../support/action';
import { useSandbox } from '../support/sandbox';

const sandbox = useSandbox();

type Created = Records['WebhookEndpointCreated'];

/** Nothing listens there, so that every delivery fails at once. */
const URL = 'https://127.0.0.1:1/agency';

const parameters = (operation: string, more: INodeParameters = {}): INodeParameters => ({
  resource: 'webhookEndpoint',
  operation,
  ...more,
});

async function endpoint(body: object = {}): Promise<Created> {
  const given = { url: URL, eventTypes: ['*'], ...body };
  return (await sandbox().call<Created>({ method: 'POST', path: '/webhook-endpoints', body: given })).body;
}

async function lastRequest() {
  return (await sandbox().requests()).at(-1);
}

const KEY = expect.stringMatching(/^[0-9a-f]{64}$/);

test('creates an endpoint for all events, and outputs it whole, with its secret', async () => {
  const result = await runAction(sandbox(), parameters('create', { url: ` ${URL} ` }));
  const [created] = jsonOf(result);
  expect(created).toEqual({
    id: expect.any(String),
    url: URL,
    description: null,
    eventTypes: ['*'],
    enabled: true,
    createdAt: expect.any(String),
    lastSuccessAt: null,
    lastFailureAt: null,
    secret: expect.stringMatching(/^whsec_/),
  });
  expect(result.outputs[0]?.[0]?.pairedItem).toEqual({ item: 0 });
  expect(await lastRequest()).toMatchObject({
    method: 'POST',
    path: '/api/v1/webhook-endpoints',
    headers: { 'idempotency-key': KEY },
    ...loggedBody({ url: URL, eventTypes: ['*'] }),
    status: 201,
  });
});

test('marks the secret as output that n8n never shows', () => {
  expect(new AccountingAgency().description.sensitiveOutputFields).toEqual(['secret']);
});

test.each([
  ['a list', ['document.received', 'task.completed']],
  ['an array of an expression', '={{ ["document.received", "task.completed"] }}'],
  ['comma text', '={{ " document.received, task.completed" }}'],
  ['JSON text', '={{ \'["document.received", "task.completed"]\' }}'],
])('creates an endpoint for chosen events given as %s', async (_, eventTypes) => {
  const options = { description: ' Archive ', idempotencyKey: 'archive-1' };
  const [created] = jsonOf(
    await runAction(sandbox(), parameters('create', { url: URL, eventTypes, options })),
  );
  expect(created).toMatchObject({ description: 'Archive' });
  expect(await lastRequest()).toMatchObject({
    headers: { 'idempotency-key': 'archive-1' },
    ...loggedBody({ url: URL, eventTypes: ['document.received', 'task.completed'], description: 'Archive' }),
  });
});

test('creates one endpoint although the connection breaks after it was made, and brings its secret', async () => {
  await sandbox().control('faults', [
    { method: 'POST', path: '/webhook-endpoints', times: 1, fault: 'reset-after' },
  ]);
  const [created] = jsonOf(await runAction(sandbox(), parameters('create', { url: URL })));
  expect(created).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  const [one, two] = await sandbox().requests();
  expect(two?.headers['idempotency-key']).toBe(one?.headers['idempotency-key']);
});

test('refuses an address that is not https, and event types that are none, before any request', async () => {
  const refused: Array<[INodeParameters, string]> = [
    [{ url: 'http://n8n.example/webhook' }, 'URL is no https address: "http://n8n.example/webhook".'],
    [{ url: 'n8n.example' }, 'URL is no https address: "n8n.example".'],
    [{ url: "={{ '' }}" }, 'URL is empty.'],
    [{ url: URL, eventTypes: '={{ [] }}' }, 'Event Types is empty.'],
    [{ url: URL, eventTypes: '={{ "document.lost" }}' }, 'Event Types cannot be "document.lost".'],
    [{ url: URL, eventTypes: ['*', 'task.completed'] }, 'Event Types holds All Events and others.'],
    [
      { url: URL, options: { idempotencyKey: 'x'.repeat(201) } },
      'Idempotency Key is 201 characters long with what the node adds.',
    ],
  ];
  for (const [given, message] of refused) {
    const { error } = await runAction(sandbox(), parameters('create', given));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await sandbox().requests()).toEqual([]);
});

test.each<[string, INodeParameters, object]>([
  ['the address', { url: 'https://127.0.0.1:2/new' }, { url: 'https://127.0.0.1:2/new' }],
  ['the event types', { eventTypes: ['document.ocr_failed'] }, { eventTypes: ['document.ocr_failed'] }],
  ['the description', { description: 'Other' }, { description: 'Other' }],
  ['the description, cleared', { description: '' }, { description: null }],
  ['the switch', { enabled: false }, { enabled: false }],
  ['the switch as text of an expression', { enabled: "={{ 'false' }}" }, { enabled: false }],
])('updates only %s', async (_, updateFields, body) => {
  const { secret, ...before } = await endpoint({ description: 'First' });
  const result = await runAction(
    sandbox(),
    parameters('update', { endpointId: ` ${before.id} `, updateFields }),
  );
  expect(jsonOf(result)).toEqual([{ ...before, ...body }]);
  expect(JSON.stringify(result.outputs)).not.toContain(secret);
  expect(await lastRequest()).toMatchObject({
    method: 'PATCH',
    path: `/api/v1/webhook-endpoints/${before.id}`,
    headers: { 'idempotency-key': KEY },
    ...loggedBody(body),
    status: 200,
  });
});

test('refuses an update of nothing, or to something unusable, before any request', async () => {
  const refused: Array<[INodeParameters, string]> = [
    [{}, 'Update Fields holds no field to change.'],
    [{ url: '' }, 'URL is empty.'],
    [{ url: 'ftp://n8n.example' }, 'URL is no https address: "ftp://n8n.example".'],
    [{ eventTypes: [] }, 'Event Types is empty.'],
    [{ enabled: "={{ 'maybe' }}" }, 'Enabled must be true or false, not "maybe".'],
  ];
  for (const [updateFields, message] of refused) {
    const { error } = await runAction(sandbox(), parameters('update', { endpointId: 'we_1', updateFields }));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await sandbox().requests()).toEqual([]);
});

test('updates one endpoint in the order of the items, each with its own values', async () => {
  const [first, second] = [await endpoint(), await endpoint()];
  const ids = [first.id, second.id, first.id, first.id];
  const input = ids.map((id, index) => ({ json: { id, text: `Text ${index}` } }));
  const result = await runAction(
    sandbox(),
    parameters('update', {
      endpointId: '={{ $json.id }}',
      updateFields: { description: '={{ $json.text }}' },
    }),
    { input },
  );
  expect(jsonOf(result)).toEqual(
    ids.map((id, index) => expect.objectContaining({ id, description: `Text ${index}` })),
  );
  const ofFirst = (await sandbox().requests()).filter(({ path }) => path.endsWith(first.id));
  expect(ofFirst.map(({ bodySha256 }) => bodySha256)).toEqual(
    [0, 2, 3].map((index) => loggedBody({ description: `Text ${index}` }).bodySha256),
  );
});

test('deletes an endpoint, once, and says so when it is not there', async () => {
  const { id } = await endpoint();
  await sandbox().control('faults', [{ method: 'DELETE', times: 1, fault: 'reset-after' }]);
  const deleted = await runAction(sandbox(), parameters('delete', { endpointId: ` ${id} ` }));
  expect(jsonOf(deleted)).toEqual([{ deleted: true, id }]);
  expect(await lastRequest()).toMatchObject({
    method: 'DELETE',
    path: `/api/v1/webhook-endpoints/${id}`,
    headers: { 'idempotency-key': KEY },
    bodyLength: 0,
    status: 204,
  });
  const { error } = await runAction(sandbox(), parameters('delete', { endpointId: id }), {
    executionId: '2',
  });
  expect(error?.message).toContain(`does not know the webhook endpoint "${id}"`);
});

test('sends a test event and outputs how the address answered', async () => {
  const { id } = await endpoint();
  const result = await runAction(
    sandbox(),
    parameters('sendTestEvent', { endpointId: id, options: { idempotencyKey: 'try-1' } }),
  );
  expect(jsonOf(result)).toEqual([
    expect.objectContaining({ succeeded: false, error: expect.stringContaining('ECONNREFUSED') }),
  ]);
  expect(await lastRequest()).toMatchObject({
    method: 'POST',
    path: `/api/v1/webhook-endpoints/${id}/test`,
    headers: { 'idempotency-key': 'try-1' },
    bodyLength: 0,
    status: 200,
  });
});

test('sends one test event per item, also to the same endpoint', async () => {
  const { id } = await endpoint();
  const input = [{ json: {} }, { json: {} }];
  const result = await runAction(sandbox(), parameters('sendTestEvent', { endpointId: id }), { input });
  const events = (jsonOf(result) as Array<{ eventId: string }>).map(({ eventId }) => eventId);
  expect(new Set(events).size).toBe(2);
});

test('lists the deliveries of each endpoint, up to the limit or all of them', async () => {
  const [first, second] = [await endpoint(), await endpoint()];
  for (const { id } of [first, first, first, second]) {
    await sandbox().call({ method: 'POST', path: `/webhook-endpoints/${id}/test` });
  }
  const input = [first, second].map(({ id }) => ({ json: { id } }));
  const given = { endpointId: '={{ $json.id }}' };
  const some = await runAction(sandbox(), parameters('getDeliveries', { ...given, limit: 2 }), { input });
  expect(some.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1].map((item) => ({ item })));
  expect(jsonOf(some)[0]).toEqual({
    id: expect.any(Number),
    eventId: expect.stringMatching(/^evt_/),
    eventType: 'webhook.test',
    status: expect.any(String),
    attempts: 1,
    nextAttemptAt: null,
    lastStatusCode: null,
    lastError: expect.any(String),
    createdAt: expect.any(String),
    deliveredAt: null,
  });
  expect((await lastRequest())?.query).toEqual({ limit: '2' });

  const all = await runAction(sandbox(), parameters('getDeliveries', { ...given, returnAll: true }), {
    input,
  });
  expect(jsonOf(all)).toHaveLength(4);
  expect(await lastRequest()).toMatchObject({ query: { limit: '200' } });
});

test.each(['update', 'delete', 'sendTestEvent', 'getDeliveries'])(
  '%s needs an endpoint ID',
  async (operation) => {
    for (const [endpointId, message] of [
      ["={{ ' ' }}", 'Endpoint ID is empty. [item 0]'],
      ['x'.repeat(201), 'Endpoint ID has 201 characters; 200 are allowed. [item 0]'],
    ]) {
      const updateFields = { enabled: true };
      const { error } = await runAction(sandbox(), parameters(operation, { endpointId, updateFields }));
      expect(error?.message).toBe(message);
    }
    expect(await sandbox().requests()).toEqual([]);
  },
);
