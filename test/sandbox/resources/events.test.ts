import { EVENT_SCOPE } from '../../../sandbox/access/scopes';
import type { Company, Event, EventType, Scope } from '../../../sandbox/records';
import { first, readFeed, watchFeed, type Page } from '../../support/sandbox/pages';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

const poll = (query: Record<string, string | number | undefined> = {}, key?: string) =>
  sandbox().call<Page<Event>>({ path: '/events', query: { limit: 200, ...query }, key });

test('the feed holds every event once, oldest first', async () => {
  const { events } = await readFeed(sandbox());
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const times = events.map(({ createdAt }) => Date.parse(createdAt));
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('its cursor points past the newest event returned, and stays while nothing is new', async () => {
  const company = await first<Company>(sandbox(), '/companies');
  const query = { companyId: company.id };
  const { after } = await readFeed(sandbox(), query);
  const path = `/companies/${company.id}`;
  await sandbox().call({ method: 'PATCH', path, body: { address: 'Uus 1' } });
  const { body } = await poll({ ...query, after });
  expect(body.data).toMatchObject([{ type: 'company.updated' }]);
  expect(body.nextCursor).not.toBe(after);
  const again = await poll({ ...query, after: body.nextCursor ?? undefined });
  expect(again.body).toEqual({ data: [], nextCursor: body.nextCursor });
});

test('its cursor is null as long as there was nothing at all', async () => {
  const key = await sandbox().newKey(['events:read']);
  expect((await poll({}, key)).body).toEqual({ data: [], nextCursor: null });
});

test.each([
  ['another type', { type: 'task.completed' }],
  ['another company', { companyId: 'x' }],
])('its cursor is refused with %s', async (_what, filter) => {
  const { nextCursor } = (await poll({ limit: 1 })).body;
  const query = { ...filter, after: nextCursor ?? '' };
  const { status, body } = await sandbox().call({ path: '/events', query });
  expect([status, body.error.code]).toEqual([400, 'INVALID_CURSOR']);
});

const SEEN = Object.entries(EVENT_SCOPE) as [EventType, Scope | null][];

test.each(SEEN.filter(([, scope]) => scope !== null))('%s is seen with %s only', async (type, scope) => {
  const page = async (key?: string) => (await poll({ type }, key)).body.data;
  const events = await page();
  expect(new Set(events.map((event) => event.type))).toEqual(new Set([type]));
  expect(await page(await sandbox().newKey(['events:read', scope ?? 'events:read']))).toEqual(events);
  const others = SEEN.map(([, other]) => other).filter((other) => other !== null && other !== scope);
  expect(await page(await sandbox().newKey(['events:read', ...others] as Scope[]))).toEqual([]);
});

test('a key for some companies sees their events only', async () => {
  const company = await first<Company>(sandbox(), '/companies');
  const { events } = await readFeed(sandbox(), { companyId: company.id });
  const key = await sandbox().newKey(
    ['events:read', 'documents:read', 'companies:read', 'work:read', 'tasks:read'],
    [company.id],
  );
  expect((await readFeed(sandbox(), {}, key)).events).toEqual(events);
});

test('an unknown type is refused', async () => {
  const { status } = await sandbox().call({ path: '/events', query: { type: 'document.lost' } });
  expect(status).toBe(400);
});

test('webhook.test is in no feed', async () => {
  const body = { url: 'https://127.0.0.1:1/', eventTypes: ['*'] };
  const { id } = (await sandbox().call<{ id: string }>({ method: 'POST', path: '/webhook-endpoints', body }))
    .body;
  const feed = await watchFeed(sandbox());
  await sandbox().call({ method: 'POST', path: `/webhook-endpoints/${id}/test` });
  expect(await feed.since()).toEqual([]);
});
