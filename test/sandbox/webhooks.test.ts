import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { RETRY_WAITS } from '../../sandbox/deliveries';
import type {
  Company,
  Event,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookTestResult,
} from '../../sandbox/records';
import { startReceiver, type Receiver } from '../support/receiver';
import { useSandbox } from '../support/sandbox';
import { until } from '../support/until';

const sandbox = useSandbox();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(() => receiver.close());

type Created = WebhookEndpoint & { secret: string };
type Page = { data: WebhookDelivery[]; nextCursor: string | null };

async function create(body: object = {}, key?: string): Promise<Created> {
  const { status, body: endpoint } = await sandbox().call<Created>({
    method: 'POST',
    path: '/webhook-endpoints',
    body: { url: receiver.url, eventTypes: ['*'], ...body },
    key,
  });
  expect(status).toBe(201);
  return endpoint;
}

const update = (id: string, body: object) =>
  sandbox().call<WebhookEndpoint>({ method: 'PATCH', path: `/webhook-endpoints/${id}`, body });

async function deliveries(id: string): Promise<WebhookDelivery[]> {
  return (await sandbox().call<Page>({ path: `/webhook-endpoints/${id}/deliveries` })).body.data;
}

const settled = (id: string) =>
  until('the delivery to be over', async () => {
    const [first] = await deliveries(id);
    return first && first.attempts > 0 ? first : undefined;
  });

async function someCompany(): Promise<Company> {
  const { body } = await sandbox().call<{ data: Company[] }>({ path: '/companies', query: { limit: 1 } });
  const [company] = body.data;
  if (!company) throw new Error('There is no company');
  return company;
}

let counter = 0;

/** Makes a company.updated event. */
async function changeCompany(id?: string): Promise<void> {
  counter += 1;
  const company = id ?? (await someCompany()).id;
  const answer = await sandbox().call({
    method: 'PATCH',
    path: `/companies/${company}`,
    body: { address: `Pikk ${counter}` },
  });
  expect(answer.status).toBe(200);
}

describe('an endpoint', () => {
  test('is created with a secret of 32 bytes, which is shown once', async () => {
    const { secret, ...endpoint } = await create({ description: 'For tests' });
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(endpoint).toMatchObject({
      url: receiver.url,
      description: 'For tests',
      eventTypes: ['*'],
      enabled: true,
      lastSuccessAt: null,
      lastFailureAt: null,
    });
    const { body } = await update(endpoint.id, {});
    expect(body).toEqual(endpoint);
  });

  test('brings its secret again when its creation is replayed', async () => {
    const call = {
      method: 'POST',
      path: '/webhook-endpoints',
      body: { url: receiver.url, eventTypes: ['*'] },
      headers: { 'idempotency-key': 'one' },
    };
    const first = await sandbox().call<Created>(call);
    const second = await sandbox().call<Created>(call);
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

describe('a call', () => {
  test('carries the event, signed after Standard Webhooks, with the real time', async () => {
    await sandbox().control('clock', { advanceSeconds: 3600 });
    const { id, secret } = await create();
    await changeCompany();
    const delivery = await settled(id);
    expect(delivery).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      nextAttemptAt: null,
      lastStatusCode: 200,
      lastError: null,
    });
    const [call] = receiver.received;
    if (!call) throw new Error('Nothing arrived');
    expect(call.method).toBe('POST');
    expect(call.headers['content-type']).toMatch(/^application\/json/);
    const event: Event = JSON.parse(call.body);
    expect(event).toMatchObject({ id: delivery.eventId, type: 'company.updated' });
    expect(call.headers['webhook-id']).toBe(event.id);
    const timestamp = String(call.headers['webhook-timestamp']);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(10);
    const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
    const signature = hmac.update(`${event.id}.${timestamp}.${call.body}`).digest('base64');
    expect(call.headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(() =>
      new Webhook(secret).verify(call.body, { ...call.headers } as Record<string, string>),
    ).not.toThrow();
  });

  test('is made only for the types that the endpoint selects', async () => {
    const { id } = await create({ eventTypes: ['task.completed'] });
    await changeCompany();
    const [task = ''] = sandbox().tasks;
    await sandbox().call({ method: 'POST', path: `/tasks/${task}/result`, body: { status: 'completed' } });
    const delivery = await settled(id);
    expect(delivery.eventType).toBe('task.completed');
    expect(await deliveries(id)).toHaveLength(1);
  });

  test('is made only for what the access may see: by scope and by company', async () => {
    const company = await someCompany();
    const rights = { scopes: ['webhooks:manage', 'companies:read'], companies: [company.id] };
    const { key } = await sandbox().control<{ key: string }>('keys', rights);
    const blind = await sandbox().control<{ key: string }>('keys', {
      ...rights,
      scopes: ['webhooks:manage'],
    });
    const seeing = await create({}, key);
    await create({}, blind.key);
    const { body } = await sandbox().call<{ data: Company[] }>({ path: '/companies', query: { limit: 2 } });
    await changeCompany(body.data[1]?.id);
    await changeCompany(company.id);
    await until('the call', () => receiver.received.length > 0);
    await sandbox().control('clock', { advanceSeconds: 1 });
    expect(receiver.received.map((call) => JSON.parse(call.body).companyId)).toEqual([company.id]);
    const list = await sandbox().call<Page>({ path: `/webhook-endpoints/${seeing.id}/deliveries`, key });
    expect(list.body.data).toHaveLength(1);
  });

  test.each([[302], [400], [500]])(
    'fails when the address answers %i, and redirects are not followed',
    async (status) => {
      receiver.answer((_call, response) => response.writeHead(status, { location: receiver.url }).end());
      const { id } = await create();
      await changeCompany();
      const delivery = await settled(id);
      expect(delivery).toMatchObject({ status: 'pending', attempts: 1, lastStatusCode: status });
      expect(delivery.lastError).toContain(String(status));
      expect(receiver.received).toHaveLength(1);
    },
  );

  test('fails when the address does not answer within 10 seconds', async () => {
    receiver.answer(() => undefined);
    const { id } = await create();
    const started = performance.now();
    const { body } = await sandbox().call<WebhookTestResult>({
      method: 'POST',
      path: `/webhook-endpoints/${id}/test`,
    });
    const seconds = (performance.now() - started) / 1000;
    expect(seconds).toBeGreaterThan(9.5);
    expect(seconds).toBeLessThan(14);
    expect(body).toMatchObject({
      succeeded: false,
      statusCode: null,
      error: expect.stringContaining('10 seconds'),
    });
  });
});

describe('repeats', () => {
  test('come after 1, 5 and 30 minutes, 2, 6, 12 and 24 hours, and then it is failed', async () => {
    receiver.answer((_call, response) => response.writeHead(503).end());
    const { id } = await create();
    await changeCompany();
    const waits: number[] = [];
    let last = await settled(id);
    while (last.nextAttemptAt !== null) {
      const before = last.attempts;
      const wait = RETRY_WAITS[before - 1] ?? 0;
      waits.push(wait / 60_000);
      await sandbox().control('clock', { advanceSeconds: wait / 1000 - 30 });
      expect((await deliveries(id))[0]?.attempts).toBe(before);
      await sandbox().control('clock', { advanceSeconds: 31 });
      [last = last] = await deliveries(id);
      expect(last.attempts).toBe(before + 1);
    }
    expect(waits).toEqual([1, 5, 30, 120, 360, 720, 1440]);
    expect(last).toMatchObject({ status: 'failed', attempts: 8, deliveredAt: null, lastStatusCode: 503 });
    expect(new Set(receiver.received.map((call) => call.headers['webhook-id'])).size).toBe(1);
  });

  test('end with the first success', async () => {
    receiver.answer((_call, response) => response.writeHead(receiver.received.length < 3 ? 500 : 204).end());
    const { id } = await create();
    await changeCompany();
    await settled(id);
    await sandbox().control('clock', { advanceSeconds: 3 * 24 * 3600 });
    const [delivery] = await deliveries(id);
    expect(delivery).toMatchObject({
      status: 'succeeded',
      attempts: 3,
      lastStatusCode: 204,
      lastError: null,
    });
    const { body } = await update(id, {});
    expect(body.lastSuccessAt).not.toBeNull();
    expect(body.lastFailureAt).not.toBeNull();
  });

  test('wait while the endpoint is paused; what happens then is not sent later', async () => {
    receiver.answer((_call, response) => response.writeHead(500).end());
    const { id } = await create();
    await changeCompany();
    await settled(id);
    await update(id, { enabled: false });
    await changeCompany();
    await sandbox().control('clock', { advanceSeconds: 7200 });
    expect(receiver.received).toHaveLength(1);
    receiver.answer((_call, response) => response.writeHead(200).end());
    await update(id, { enabled: true });
    await until('the waiting call', async () => (await deliveries(id))[0]?.status === 'succeeded');
    expect(await deliveries(id)).toHaveLength(1);
  });
});

describe('the test call', () => {
  const sendTest = (id: string) =>
    sandbox().call<WebhookTestResult>({ method: 'POST', path: `/webhook-endpoints/${id}/test` });

  test('sends webhook.test to this endpoint only, and tells how the address answered', async () => {
    const { id } = await create({ eventTypes: ['task.completed'] });
    await create();
    const { status, body } = await sendTest(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ succeeded: true, statusCode: 200, error: null });
    await sandbox().control('clock', { advanceSeconds: 1 });
    expect(receiver.received.map((call) => JSON.parse(call.body))).toMatchObject([
      { id: body.eventId, type: 'webhook.test', companyId: null },
    ]);
    const [delivery] = await deliveries(id);
    expect(delivery).toMatchObject({ eventId: body.eventId, eventType: 'webhook.test', status: 'succeeded' });
  });

  test('is not repeated when the address refuses', async () => {
    receiver.answer((_call, response) => response.writeHead(410).end());
    const { id } = await create();
    expect((await sendTest(id)).body).toMatchObject({ succeeded: false, statusCode: 410 });
    await sandbox().control('clock', { advanceSeconds: 90_000 });
    expect(receiver.received).toHaveLength(1);
    expect((await deliveries(id))[0]).toMatchObject({ status: 'failed', attempts: 1 });
  });
});

test('deliveries are listed page by page, newest first', async () => {
  const { id } = await create();
  const company = await someCompany();
  for (let index = 0; index < 5; index += 1) await changeCompany(company.id);
  await sandbox().control('clock', { advanceSeconds: 1 });
  const ids: number[] = [];
  let cursor: string | null | undefined;
  do {
    const path = `/webhook-endpoints/${id}/deliveries`;
    const { body } = await sandbox().call<Page>({ path, query: { limit: 2, cursor: cursor ?? undefined } });
    ids.push(...body.data.map((delivery) => delivery.id));
    cursor = body.nextCursor;
  } while (cursor);
  expect(ids).toHaveLength(5);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
});
