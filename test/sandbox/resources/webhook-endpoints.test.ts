import { first, readAll } from '../../support/sandbox/pages';
import { useWebhooks, type CreatedEndpoint } from '../../support/trigger/webhooks';
import type { Company, WebhookDelivery } from '../../../sandbox/records';

const { sandbox, receiver, create, update, sendTest, deliveries, changeCompany } = useWebhooks();

describe('an endpoint', () => {
  test('is created with a secret of 32 bytes, which is shown once', async () => {
    const { secret, ...endpoint } = await create({ description: 'For tests' });
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(endpoint).toMatchObject({
      url: receiver().url,
      description: 'For tests',
      eventTypes: ['*'],
      enabled: true,
      lastSuccessAt: null,
      lastFailureAt: null,
    });
    const body = await update(endpoint.id, {});
    expect(body).toEqual(endpoint);
  });

  test('brings its secret again when its creation is replayed', async () => {
    const call = {
      method: 'POST',
      path: '/webhook-endpoints',
      body: { url: receiver().url, eventTypes: ['*'] },
      headers: { 'idempotency-key': 'one' },
    };
    const first = await sandbox().call<CreatedEndpoint>(call);
    const second = await sandbox().call<CreatedEndpoint>(call);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });

  test.each([
    ['no url', { eventTypes: ['*'] }, 'url'],
    ['no event types', { url: 'https://example.com' }, 'eventTypes'],
    ['an empty list', { url: 'https://example.com', eventTypes: [] }, 'eventTypes'],
    ['an unknown type', { url: 'https://example.com', eventTypes: ['document.lost'] }, 'eventTypes.0'],
    ['http', { url: 'http://example.com', eventTypes: ['*'] }, 'url'],
    ['no address', { url: 'https://', eventTypes: ['*'] }, 'url'],
    ['an unknown field', { url: 'https://example.com', eventTypes: ['*'], secret: 'x' }, 'secret'],
  ])('is refused with %s', async (_what, body, path) => {
    const answer = await sandbox().call({ method: 'POST', path: '/webhook-endpoints', body });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details?.issues?.map((issue) => issue.path)).toContain(path);
  });

  test('takes an address, a description and a list of any length', async () => {
    const long = {
      url: `${receiver().url}?${'x'.repeat(5000)}`,
      description: 'x'.repeat(5000),
      eventTypes: Array.from({ length: 50 }, () => 'task.completed' as const),
    };
    const { id, ...endpoint } = await create(long);
    expect(endpoint).toMatchObject(long);
    expect(await update(id, long)).toMatchObject(long);
  });

  test('does not exist for another access', async () => {
    const { id } = await create();
    const key = sandbox().keys.other;
    const path = `/webhook-endpoints/${id}`;
    const answers = [
      await sandbox().call({ method: 'PATCH', path, body: { enabled: false }, key }),
      await sandbox().call({ method: 'DELETE', path, key }),
      await sandbox().call({ method: 'POST', path: `${path}/test`, key }),
      await sandbox().call({ path: `${path}/deliveries`, key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await sandbox().call({ path: `${path}/deliveries`, key: sandbox().token })).status).toBe(200);
  });

  test('is gone after its removal', async () => {
    const { id } = await create();
    const removal = await sandbox().call({ method: 'DELETE', path: `/webhook-endpoints/${id}` });
    expect([removal.status, removal.bytes.length]).toEqual([204, 0]);
    const again = await sandbox().call({ method: 'DELETE', path: `/webhook-endpoints/${id}` });
    expect(again.status).toBe(404);
  });
});

describe('the test call', () => {
  test('sends webhook.test to this endpoint only, and tells how the address answered', async () => {
    const { id } = await create({ eventTypes: ['task.completed'] });
    await create();
    const body = await sendTest(id);
    expect(body).toMatchObject({ succeeded: true, statusCode: 200, error: null });
    await sandbox().control('clock', { advanceSeconds: 1 });
    expect(receiver().received.map((call) => JSON.parse(call.body))).toMatchObject([
      { id: body.eventId, type: 'webhook.test', companyId: null },
    ]);
    const [delivery] = await deliveries(id);
    expect(delivery).toMatchObject({ eventId: body.eventId, eventType: 'webhook.test', status: 'succeeded' });
  });

  test('is not repeated when the address refuses', async () => {
    receiver().answer((_call, response) => response.writeHead(410).end());
    const { id } = await create();
    expect(await sendTest(id)).toMatchObject({ succeeded: false, statusCode: 410 });
    await sandbox().control('clock', { advanceSeconds: 90_000 });
    expect(receiver().received).toHaveLength(1);
    expect((await deliveries(id))[0]).toMatchObject({ status: 'failed', attempts: 1 });
  });
});

test('deliveries are listed page by page, newest first', async () => {
  const { id } = await create();
  const company = await first<Company>(sandbox(), '/companies');
  for (let index = 0; index < 5; index += 1) await changeCompany(company.id);
  await sandbox().control('clock', { advanceSeconds: 1 });
  const path = `/webhook-endpoints/${id}/deliveries`;
  const ids = (await readAll<WebhookDelivery>(sandbox(), path, { limit: 2 })).map((delivery) => delivery.id);
  expect(ids).toHaveLength(5);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
});
