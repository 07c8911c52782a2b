import type { Company, Document } from '../../../sandbox/records';
import { first, watchFeed } from '../../support/sandbox/pages';
import { until } from '../../support/time/until';
import { useWebhooks } from '../../support/trigger/webhooks';

const { sandbox, receiver, create, deliveries } = useWebhooks();

test('as many as are wanted come into the feed, spread over the time, about records that exist', async () => {
  const feed = await watchFeed(sandbox());
  const { now } = await sandbox().control<{ now: string }>('clock', { advanceSeconds: 0 });
  await sandbox().control('events', { count: 70, over: 600 });
  const events = await feed.since();
  expect(events).toHaveLength(70);
  expect(new Set(events.map(({ type }) => type)).size).toBe(7);
  const times = events.map(({ createdAt }) => Date.parse(createdAt) - Date.parse(now));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[0]).toBeGreaterThan(-600_000);
  expect(times[0]).toBeLessThan(-580_000);
  expect(times.at(-1)).toBeGreaterThanOrEqual(0);
  const documents = events.filter(({ subject }) => subject.type === 'document');
  for (const { subject, companyId } of documents.slice(0, 3)) {
    const { body } = await sandbox().call<Document>({ path: `/documents/${subject.id}` });
    expect(body.companyId).toBe(companyId);
  }
});

test('they are of one type and of one company when that is wanted', async () => {
  const company = await first<Company>(sandbox(), '/companies');
  const feed = await watchFeed(sandbox());
  await sandbox().control('events', { count: 3, type: 'obligation.updated', companyId: company.id });
  expect(await feed.since()).toMatchObject(
    Array.from({ length: 3 }, () => ({ type: 'obligation.updated', companyId: company.id })),
  );
  await expect(sandbox().control('events', { count: 1, companyId: 'nobody' })).rejects.toThrow('404');
  await expect(sandbox().control('events', { count: 1, type: 'webhook.test' })).rejects.toThrow('400');
});

test('they are delivered as usual', async () => {
  const { id } = await create({ eventTypes: ['company.updated'] });
  await sandbox().control('events', { count: 14, over: 60 });
  await until('the calls', async () => {
    const sent = await deliveries(id);
    return sent.length === 2 && sent.every(({ status }) => status === 'succeeded');
  });
  expect(receiver().received).toHaveLength(2);
});

test('100,000 come in a few seconds, and others are answered while they are delivered', async () => {
  receiver().answer(() => undefined);
  await create();
  const feed = await watchFeed(sandbox());
  const started = process.cpuUsage();
  await sandbox().control('events', { count: 100_000, over: 86_400 });
  // CPU time, in microseconds: tests that run beside take their part of the clock's.
  const { user, system } = process.cpuUsage(started);
  expect(user + system).toBeLessThan(6_000_000);
  const asked = performance.now();
  expect(await feed.since()).toHaveLength(200);
  expect(performance.now() - asked).toBeLessThan(2000);
}, 30_000);
