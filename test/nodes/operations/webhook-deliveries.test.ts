import { jsonOf, lastRequest, runAction } from '../../support/action/action';
import { endpointParameters, madeEndpoint } from '../../support/trigger/endpoint';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

test('sends a test event and outputs how the address answered', async () => {
  const { id } = await madeEndpoint(sandbox());
  const result = await runAction(
    sandbox(),
    endpointParameters('sendTestEvent', { endpointId: id, options: { idempotencyKey: 'try-1' } }),
  );
  expect(jsonOf(result)).toEqual([
    expect.objectContaining({ succeeded: false, error: expect.stringContaining('ECONNREFUSED') }),
  ]);
  expect(await lastRequest(sandbox())).toMatchObject({
    method: 'POST',
    path: `/api/v1/webhook-endpoints/${id}/test`,
    headers: { 'idempotency-key': 'try-1' },
    bodyLength: 0,
    status: 200,
  });
});

test('sends one test event per item, also to the same endpoint', async () => {
  const { id } = await madeEndpoint(sandbox());
  const input = [{ json: {} }, { json: {} }];
  const result = await runAction(sandbox(), endpointParameters('sendTestEvent', { endpointId: id }), {
    input,
  });
  const events = (jsonOf(result) as Array<{ eventId: string }>).map(({ eventId }) => eventId);
  expect(new Set(events).size).toBe(2);
});

test('lists the deliveries of each endpoint, up to the limit or all of them', async () => {
  const [first, second] = [await madeEndpoint(sandbox()), await madeEndpoint(sandbox())];
  for (const { id } of [first, first, first, second]) {
    await sandbox().call({ method: 'POST', path: `/webhook-endpoints/${id}/test` });
  }
  const input = [first, second].map(({ id }) => ({ json: { id } }));
  const given = { endpointId: '={{ $json.id }}' };
  const some = await runAction(sandbox(), endpointParameters('getDeliveries', { ...given, limit: 2 }), {
    input,
  });
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
  expect((await lastRequest(sandbox()))?.query).toEqual({ limit: '2' });

  const all = await runAction(sandbox(), endpointParameters('getDeliveries', { ...given, returnAll: true }), {
    input,
  });
  expect(jsonOf(all)).toHaveLength(4);
  expect(await lastRequest(sandbox())).toMatchObject({ query: { limit: '200' } });
});
