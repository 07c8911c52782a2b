import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { jsonOf, runAction } from '../../support/action/action';
import { companyById } from '../../support/action/company';
import { useSandbox } from '../../support/sandbox/sandbox';
import { arrived } from '../../support/action/uploads';

const sandbox = useSandbox();

type Event = Schemas['Event'];
interface Feed {
  events: Event[];
  nextCursor: string | null;
}

const parameters = (more: INodeParameters = {}): INodeParameters => ({
  resource: 'event',
  operation: 'getAll',
  ...more,
});

/** Reads from a cursor on, with the cursor to go on from. */
async function catchUp(after: string | null, more: INodeParameters = {}): Promise<Feed> {
  const result = await runAction(
    sandbox(),
    parameters({ returnAll: true, after: after ?? '', outputCursor: true, ...more }),
  );
  const [feed, ...others] = jsonOf(result);
  expect(others).toEqual([]);
  return feed as Feed;
}

/** Lets a document arrive, which makes one event of the type `document.received` at once. */
async function arrive(companyId: string): Promise<string> {
  return (await arrived(sandbox(), companyId, 'arve.pdf', Buffer.from('%PDF-1.4'))).id;
}

async function queries(): Promise<Array<Record<string, unknown>>> {
  return (await sandbox().requests()).map(({ query }) => query);
}

async function feed(query: Record<string, string | number> = {}): Promise<Event[]> {
  return (await sandbox().call<{ data: Event[] }>({ path: '/events', query: { limit: 200, ...query } })).body
    .data;
}

test('gives the oldest events first, one item each, as many as the limit asks for', async () => {
  const expected = (await feed()).slice(0, 3);
  const result = await runAction(sandbox(), parameters({ limit: 3 }));
  expect(jsonOf(result)).toEqual(expected);
  expect(result.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 0].map((item) => ({ item })));
  expect((await queries()).slice(1)).toEqual([{ limit: '3' }]);
});

test('asks for a limit over the page size in pages, and for no more than it needs', async () => {
  const events = jsonOf(await runAction(sandbox(), parameters({ limit: 250 }))) as Event[];
  expect(new Set(events.map(({ id }) => id)).size).toBe(250);
  expect(await queries()).toEqual([{ limit: '200' }, { limit: '50', after: expect.any(String) }]);
});

test('returns all up to the first empty page, each event once', async () => {
  const [{ companyId } = { companyId: '' }] = await feed();
  const filters = { companyId: companyById(companyId ?? '') };
  const events = jsonOf(await runAction(sandbox(), parameters({ returnAll: true, filters }))) as Event[];
  const expected = await feed({ companyId: companyId ?? '' });
  expect(expected.length).toBeGreaterThan(1);
  expect(events).toEqual(expected);
  expect((await queries()).slice(1, 3)).toEqual([
    { companyId, limit: '200' },
    { companyId, limit: '200', after: expect.any(String) },
  ]);
});

test('sends both filters with every page', async () => {
  const [{ companyId, type } = { companyId: '', type: '' }] = await feed();
  const filters = { companyId: companyById(` ${companyId} `), type };
  const events = jsonOf(await runAction(sandbox(), parameters({ returnAll: true, filters }))) as Event[];
  expect(events.length).toBeGreaterThan(0);
  expect(events.every((event) => event.type === type && event.companyId === companyId)).toBe(true);
  for (const query of (await queries()).slice(1)) expect(query).toMatchObject({ companyId, type });
});

test('catches up from cursor to cursor without gap or repeat, also when nothing is new', async () => {
  const [{ companyId } = { companyId: '' }] = await feed();
  const filters = { companyId: companyById(companyId ?? ''), type: 'document.received' };
  const start = await catchUp(null, { filters });
  expect(start.events.length).toBeGreaterThan(0);

  const nothing = await catchUp(start.nextCursor, { filters });
  expect(nothing).toEqual({ events: [], nextCursor: start.nextCursor });

  const first = [await arrive(companyId ?? ''), await arrive(companyId ?? '')];
  const some = await catchUp(nothing.nextCursor, { filters });
  expect(some.events.map(({ subject }) => subject.id)).toEqual(first);

  const second = [await arrive(companyId ?? '')];
  const more = await catchUp(some.nextCursor, { filters });
  expect(more.events.map(({ subject }) => subject.id)).toEqual(second);
  expect((await catchUp(more.nextCursor, { filters })).events).toEqual([]);
});

test('gives the cursor after a limited number of events, which the next run goes on from', async () => {
  const one = await catchUp(null, { returnAll: false, limit: 2 });
  const two = await catchUp(one.nextCursor, { returnAll: false, limit: 3 });
  expect([...one.events, ...two.events]).toEqual((await feed()).slice(0, 5));
});

test('gives no cursor of a feed that has never had an event', async () => {
  const key = await sandbox().newKey(['events:read'], []);
  const credential = { address: sandbox().url, token: key };
  const result = await runAction(sandbox(), parameters({ outputCursor: true }), { credential });
  expect(jsonOf(result)).toEqual([{ events: [], nextCursor: null }]);
});

test('gives no item when nothing is new and no cursor is asked for', async () => {
  const { nextCursor } = await catchUp(null, {
    returnAll: false,
    limit: 200,
    filters: { type: 'webhook.test' },
  });
  expect(nextCursor).toBeNull();
  expect(jsonOf(await runAction(sandbox(), parameters({ filters: { type: 'webhook.test' } })))).toEqual([]);
});

test('reads for each item after its own cursor', async () => {
  const [first, second] = [
    await catchUp(null, { returnAll: false, limit: 1 }),
    await catchUp(null, { returnAll: false, limit: 4 }),
  ];
  const input = [first, second].map(({ nextCursor }) => ({ json: { cursor: nextCursor } }));
  const result = await runAction(sandbox(), parameters({ after: '={{ $json.cursor }}', limit: 1 }), {
    input,
  });
  const events = await feed();
  expect(jsonOf(result)).toEqual([events[1], events[4]]);
  expect(result.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

test('says that a cursor belongs to the filters that it came with', async () => {
  const { nextCursor } = await catchUp(null, { returnAll: false, limit: 1 });
  const filters = { type: 'task.completed' };
  const { error } = await runAction(sandbox(), parameters({ after: nextCursor ?? '', filters }));
  expect(error?.message).toBe('The agency does not accept this position in the list. [item 0]');
  expect(error?.description).toContain('with the same filters');
});

test('refuses values out of bounds by name, before any request', async () => {
  const refused: Array<[INodeParameters, string]> = [
    [{ after: 'x'.repeat(501) }, 'Continue From has 501 characters, but only 500 are allowed.'],
    [{ limit: 0 }, 'Limit must be a whole number of at least 1, not 0.'],
    [{ limit: 1.5 }, 'Limit must be a whole number of at least 1, not 1.5.'],
    [{ filters: { type: 'document.lost' } }, 'Type cannot be "document.lost".'],
    [
      { filters: { companyId: companyById('x'.repeat(201)) } },
      'Company has 201 characters, but only 200 are allowed.',
    ],
  ];
  for (const [changes, message] of refused) {
    const { error } = await runAction(sandbox(), parameters(changes));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await sandbox().requests()).toEqual([]);
});
