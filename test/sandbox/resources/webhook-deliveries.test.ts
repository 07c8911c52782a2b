import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { RETRY_WAITS } from '../../../sandbox/webhooks/deliveries';
import type { Company, Event, WebhookDelivery } from '../../../sandbox/records';
import { first, type Page } from '../../support/sandbox/pages';
import { until } from '../../support/time/until';
import { useWebhooks } from '../../support/trigger/webhooks';

const { sandbox, receiver, create, update, sendTest, deliveries, attempted, changeCompany } = useWebhooks();

test('a reset ends a move of the clock that waits for a call', async () => {
  await create();
  let answer = () => {};
  receiver().answer((_call, response) => {
    answer = () => response.writeHead(200).end();
  });
  await changeCompany();
  const move = sandbox().control<{ now: string }>('clock', { advanceSeconds: 30 * 24 * 3600 });
  await until('the call', () => receiver().received.length > 0);
  await sandbox().control('reset');
  answer();
  const moved = [await move, await sandbox().control<{ now: string }>('clock', { advanceSeconds: 0 })];
  for (const { now } of moved) expect(Date.parse(now)).toBeLessThan(Date.now() + 60_000);
});

describe('a call', () => {
  test('carries the event, signed after Standard Webhooks, with the real time', async () => {
    await sandbox().control('clock', { advanceSeconds: 3600 });
    const { id, secret } = await create();
    await changeCompany();
    const delivery = await attempted(id);
    expect(delivery).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      nextAttemptAt: null,
      lastStatusCode: 200,
      lastError: null,
    });
    const [call] = receiver().received;
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
  });

  test('is made only for the types that the endpoint selects', async () => {
    const { id } = await create({ eventTypes: ['task.completed'] });
    await changeCompany();
    const [task = ''] = sandbox().tasks;
    await sandbox().call({ method: 'POST', path: `/tasks/${task}/result`, body: { status: 'completed' } });
    const delivery = await attempted(id);
    expect(delivery.eventType).toBe('task.completed');
    expect(await deliveries(id)).toHaveLength(1);
  });

  test('is made only for what the access may see: by scope and by company', async () => {
    const company = await first<Company>(sandbox(), '/companies');
    const key = await sandbox().newKey(['webhooks:manage', 'companies:read'], [company.id]);
    const seeing = await create({}, key);
    await create({}, await sandbox().newKey(['webhooks:manage'], [company.id]));
    const { body } = await sandbox().call<{ data: Company[] }>({ path: '/companies', query: { limit: 2 } });
    await changeCompany(body.data[1]?.id);
    await changeCompany(company.id);
    await until('the call', () => receiver().received.length > 0);
    await sandbox().control('clock', { advanceSeconds: 1 });
    expect(receiver().received.map((call) => JSON.parse(call.body).companyId)).toEqual([company.id]);
    const list = await sandbox().call<Page<WebhookDelivery>>({
      path: `/webhook-endpoints/${seeing.id}/deliveries`,
      key,
    });
    expect(list.body.data).toHaveLength(1);
  });

  test.each([[302], [400], [500]])(
    'fails when the address answers %i, and redirects are not followed',
    async (status) => {
      receiver().answer((_call, response) => response.writeHead(status, { location: receiver().url }).end());
      const { id } = await create();
      await changeCompany();
      const delivery = await attempted(id);
      expect(delivery).toMatchObject({ status: 'pending', attempts: 1, lastStatusCode: status });
      expect(delivery.lastError).toContain(String(status));
      expect(receiver().received).toHaveLength(1);
    },
  );

  test('fails when the address does not answer within 10 seconds', async () => {
    receiver().answer(() => undefined);
    const { id } = await create();
    const started = performance.now();
    const body = await sendTest(id);
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
    receiver().answer((_call, response) => response.writeHead(503).end());
    const { id } = await create();
    await changeCompany();
    const waits: number[] = [];
    let last = await attempted(id);
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
    expect(new Set(receiver().received.map((call) => call.headers['webhook-id'])).size).toBe(1);
  });

  test('end with the first success', async () => {
    receiver().answer((_call, response) =>
      response.writeHead(receiver().received.length < 3 ? 500 : 204).end(),
    );
    const { id } = await create();
    await changeCompany();
    await attempted(id);
    await sandbox().control('clock', { advanceSeconds: 3 * 24 * 3600 });
    const [delivery] = await deliveries(id);
    expect(delivery).toMatchObject({
      status: 'succeeded',
      attempts: 3,
      lastStatusCode: 204,
      lastError: null,
    });
    const body = await update(id, {});
    expect(body.lastSuccessAt).not.toBeNull();
    expect(body.lastFailureAt).not.toBeNull();
  });

  test('wait while the endpoint is paused; what happens then is not sent later', async () => {
    receiver().answer((_call, response) => response.writeHead(500).end());
    const { id } = await create();
    await changeCompany();
    await attempted(id);
    await update(id, { enabled: false });
    await changeCompany();
    await sandbox().control('clock', { advanceSeconds: 7200 });
    expect(receiver().received).toHaveLength(1);
    receiver().answer((_call, response) => response.writeHead(200).end());
    await update(id, { enabled: true });
    await until('the waiting call', async () => (await deliveries(id))[0]?.status === 'succeeded');
    expect(await deliveries(id)).toHaveLength(1);
  });
});

test('the answer to a call of before a reset tells nothing of what comes after it', async () => {
  const answers: (() => void)[] = [];
  receiver().answer((_call, response) => answers.push(() => response.writeHead(500).end()));
  await create();
  await changeCompany();
  await until('the call before', () => answers.length === 1);
  await sandbox().control('reset');
  const { id } = await create();
  await changeCompany();
  await until('the call after', () => answers.length === 2);
  answers[0]?.();
  await wait(300);
  expect(await deliveries(id)).toMatchObject([{ status: 'pending', attempts: 0, lastStatusCode: null }]);
  answers[1]?.();
  expect(await attempted(id)).toMatchObject({ attempts: 1, lastStatusCode: 500 });
});
