import type { INodeParameters } from 'n8n-workflow';
import { AccountingAgency } from '../../../nodes/AccountingAgency/AccountingAgency.node';
import { jsonOf, lastRequest, loggedBody, runAction } from '../../support/action/action';
import { endpointParameters, madeEndpoint, NODE_KEY, NOWHERE } from '../../support/trigger/endpoint';
import { useSandbox } from '../../support/sandbox/sandbox';
import { CHANGE_READINGS, TEST_WITHOUT_REPORT } from '../../support/proxies/event-readings';
import { type Reading, useReadingProxy } from '../../support/proxies/reading-proxy';
import { type Spoiling, SpoilingProxy } from '../../support/proxies/spoiling-proxy';

const sandbox = useSandbox();

test('creates an endpoint for all events, and outputs it whole, with its secret', async () => {
  const result = await runAction(sandbox(), endpointParameters('create', { url: ` ${NOWHERE} ` }));
  const [created] = jsonOf(result);
  expect(created).toEqual({
    id: expect.any(String),
    url: NOWHERE,
    description: null,
    eventTypes: ['*'],
    enabled: true,
    createdAt: expect.any(String),
    lastSuccessAt: null,
    lastFailureAt: null,
    secret: expect.stringMatching(/^whsec_/),
  });
  expect(result.outputs[0]?.[0]?.pairedItem).toEqual({ item: 0 });
  expect(await lastRequest(sandbox())).toMatchObject({
    method: 'POST',
    path: '/api/v1/webhook-endpoints',
    headers: { 'idempotency-key': NODE_KEY },
    ...loggedBody({ url: NOWHERE, eventTypes: ['*'] }),
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
    await runAction(sandbox(), endpointParameters('create', { url: NOWHERE, eventTypes, options })),
  );
  expect(created).toMatchObject({ description: 'Archive' });
  expect(await lastRequest(sandbox())).toMatchObject({
    headers: { 'idempotency-key': 'archive-1' },
    ...loggedBody({
      url: NOWHERE,
      eventTypes: ['document.received', 'task.completed'],
      description: 'Archive',
    }),
  });
});

test('creates one endpoint although the connection breaks after it was made, and brings its secret', async () => {
  await sandbox().control('faults', [
    { method: 'POST', path: '/webhook-endpoints', times: 1, fault: 'reset-after' },
  ]);
  const [created] = jsonOf(await runAction(sandbox(), endpointParameters('create', { url: NOWHERE })));
  expect(created).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  const [one, two] = await sandbox().requests();
  expect(two?.headers['idempotency-key']).toBe(one?.headers['idempotency-key']);
});

test('does not take an endpoint without its secret for a success, and names it', async () => {
  const answer: Spoiling['answer'] = (response, body) => {
    response.writeHead(201).end(JSON.stringify({ ...JSON.parse(body.toString()), secret: undefined }));
  };
  const proxy = await SpoilingProxy.start(sandbox().url, { request: /^POST/, times: 1, answer });
  const credential = { address: proxy.address, token: sandbox().keys.full };
  const run = await runAction(sandbox(), endpointParameters('create', { url: NOWHERE }), { credential });
  await proxy.close();
  expect(run.error?.message).toMatch(/endpoint we_\w+ without its signing secret/);
});

test('refuses an address that is not https, and event types that are none, before any request', async () => {
  const refused: Array<[INodeParameters, string]> = [
    [{ url: 'http://n8n.example/webhook' }, 'URL is not an https address: "http://n8n.example/webhook".'],
    [{ url: 'n8n.example' }, 'URL is not an https address: "n8n.example".'],
    [{ url: "={{ '' }}" }, 'URL is empty.'],
    [{ url: NOWHERE, eventTypes: '={{ [] }}' }, 'Event Types is empty.'],
    [{ url: NOWHERE, eventTypes: '={{ "document.lost" }}' }, 'Event Types cannot be "document.lost".'],
    [{ url: NOWHERE, eventTypes: ['*', 'task.completed'] }, 'Event Types contains All Events and others.'],
    [
      { url: NOWHERE, options: { idempotencyKey: 'x'.repeat(201) } },
      'Idempotency Key is 201 characters long, including what the node adds.',
    ],
  ];
  for (const [given, message] of refused) {
    const { error } = await runAction(sandbox(), endpointParameters('create', given));
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
  const { secret, ...before } = await madeEndpoint(sandbox(), { description: 'First' });
  const result = await runAction(
    sandbox(),
    endpointParameters('update', { endpointId: ` ${before.id} `, updateFields }),
  );
  expect(jsonOf(result)).toEqual([{ ...before, ...body }]);
  expect(JSON.stringify(result.outputs)).not.toContain(secret);
  expect(await lastRequest(sandbox())).toMatchObject({
    method: 'PATCH',
    path: `/api/v1/webhook-endpoints/${before.id}`,
    headers: { 'idempotency-key': NODE_KEY },
    ...loggedBody(body),
    status: 200,
  });
});

test('refuses an update of nothing, or to something unusable, before any request', async () => {
  const refused: Array<[INodeParameters, string]> = [
    [{}, 'Update Fields is empty.'],
    [{ url: '' }, 'URL is empty.'],
    [{ url: 'ftp://n8n.example' }, 'URL is not an https address: "ftp://n8n.example".'],
    [{ eventTypes: [] }, 'Event Types is empty.'],
    [{ enabled: "={{ 'maybe' }}" }, 'Enabled must be true or false, not "maybe".'],
  ];
  for (const [updateFields, message] of refused) {
    const { error } = await runAction(
      sandbox(),
      endpointParameters('update', { endpointId: 'we_1', updateFields }),
    );
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await sandbox().requests()).toEqual([]);
});

test('updates one endpoint in the order of the items, each with its own values', async () => {
  const [first, second] = [await madeEndpoint(sandbox()), await madeEndpoint(sandbox())];
  const ids = [first.id, second.id, first.id, first.id];
  const input = ids.map((id, index) => ({ json: { id, text: `Text ${index}` } }));
  const result = await runAction(
    sandbox(),
    endpointParameters('update', {
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
  const { id } = await madeEndpoint(sandbox());
  await sandbox().control('faults', [{ method: 'DELETE', times: 1, fault: 'reset-after' }]);
  const deleted = await runAction(sandbox(), endpointParameters('delete', { endpointId: ` ${id} ` }));
  expect(jsonOf(deleted)).toEqual([{ deleted: true, id }]);
  expect(await lastRequest(sandbox())).toMatchObject({
    method: 'DELETE',
    path: `/api/v1/webhook-endpoints/${id}`,
    headers: { 'idempotency-key': NODE_KEY },
    bodyLength: 0,
    status: 204,
  });
  const { error } = await runAction(sandbox(), endpointParameters('delete', { endpointId: id }), {
    executionId: '2',
  });
  expect(error?.message).toContain(`Webhook endpoint "${id}" not found`);
});

test.each(['update', 'delete', 'sendTestEvent', 'getDeliveries'])(
  '%s needs an endpoint ID',
  async (operation) => {
    for (const [endpointId, message] of [
      ["={{ ' ' }}", 'Endpoint ID is empty. [item 0]'],
      ['x'.repeat(201), 'Endpoint ID has 201 characters, but only 200 are allowed. [item 0]'],
    ]) {
      const updateFields = { enabled: true };
      const { error } = await runAction(
        sandbox(),
        endpointParameters(operation, { endpointId, updateFields }),
      );
      expect(error?.message).toBe(message);
    }
    expect(await sandbox().requests()).toEqual([]);
  },
);

describe('An agency that answers for an endpoint in another way', () => {
  const proxy = useReadingProxy(() => sandbox().url);
  const change = async (endpointId: string) =>
    await runAction(
      sandbox(),
      endpointParameters('update', { endpointId, updateFields: { enabled: false } }),
      { credential: { address: proxy.address(), token: sandbox().keys.full } },
    );

  test.each(Object.entries(CHANGE_READINGS))('%s', async (_, reading) => {
    const { id } = await madeEndpoint(sandbox());
    proxy.read(reading);
    const [changed] = jsonOf(await change(id));
    expect(changed).toMatchObject({ id, enabled: false });
    expect(proxy.trail()).toEqual([
      `PATCH /webhook-endpoints/${id}`,
      `GET /webhook-endpoints/${id}/deliveries`,
    ]);
  });

  test('nothing for its test', async () => {
    const { id } = await madeEndpoint(sandbox());
    proxy.read(TEST_WITHOUT_REPORT);
    const credential = { address: proxy.address(), token: sandbox().keys.full };
    const sent = await runAction(sandbox(), endpointParameters('sendTestEvent', { endpointId: id }), {
      credential,
    });
    expect(jsonOf(sent)).toEqual([{ sent: true, id }]);
    expect(proxy.trail()).toEqual([
      `POST /webhook-endpoints/${id}/test`,
      `GET /webhook-endpoints/${id}/deliveries`,
    ]);
  });

  test('is not believed when it does not know the endpoint', async () => {
    const nothing: Reading = {
      asked: (asked) =>
        asked.method === 'PATCH' ? { status: 204, headers: {}, body: Buffer.alloc(0) } : asked,
    };
    proxy.read(nothing);
    expect((await change('none')).error?.message).toMatch(/^Webhook endpoint "none" not found/);
  });
});
