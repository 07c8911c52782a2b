import { AgencyError } from '../../../nodes/shared/api/errors/agency-error';
import { feedPages, type FeedRequest } from '../../../nodes/shared/api/event-feed';
import type { Page } from '../../../nodes/shared/api/pagination';
import type { Schemas } from '../../../nodes/shared/api/routes';

type Event = Schemas['Event'];

const event = (id: string): Event => ({
  id,
  type: 'document.received',
  createdAt: '2026-11-27T10:00:00.000Z',
  companyId: null,
  subject: { type: 'document', id },
  data: {},
});

/** An agency that gives these pages, one after the other, whatever it is asked. */
function agency(...pages: Array<Page<Event>>) {
  const asked: Array<Parameters<FeedRequest>[0]> = [];
  const ask: FeedRequest = async (page) => {
    asked.push(page);
    const body = pages.shift();
    if (body === undefined) throw new Error('More pages were asked for than there are.');
    return { body };
  };
  return { asked, ask };
}

async function read(ask: FeedRequest, after?: string, limit?: number) {
  const pages = [];
  for await (const { events, cursor } of feedPages(ask, after, limit)) {
    pages.push([events.map(({ id }) => id), cursor]);
  }
  return pages;
}

test('reads to the page without events that leaves the cursor where it is, which is the one to go on from', async () => {
  const { asked, ask } = agency(
    { data: [event('a'), event('b')], nextCursor: 'two' },
    { data: [], nextCursor: 'two' },
  );
  expect(await read(ask, 'zero')).toEqual([
    [['a', 'b'], 'two'],
    [[], 'two'],
  ]);
  expect(asked).toEqual([
    { after: 'zero', limit: 200 },
    { after: 'two', limit: 200 },
  ]);
});

test('goes on after a page without events whose cursor has moved, e.g. past events that a filter leaves out', async () => {
  const { ask } = agency(
    { data: [], nextCursor: 'one' },
    { data: [event('a')], nextCursor: 'two' },
    { data: [], nextCursor: 'two' },
  );
  expect(await read(ask, 'zero')).toEqual([
    [[], 'one'],
    [['a'], 'two'],
    [[], 'two'],
  ]);
});

test('ends, with the newest cursor, when every empty page has another one', async () => {
  const pages = Array.from({ length: 100 }, (_, index) => ({ data: [], nextCursor: `c${index}` }));
  const { asked, ask } = agency(...pages);
  expect((await read(ask, 'zero')).at(-1)).toEqual([[], 'c50']);
  expect(asked).toHaveLength(51);
});

test('reads on as long as events come, however many pages they fill', async () => {
  const pages = Array.from({ length: 100 }, (_, index) => ({
    data: [event(`e${index}`)],
    nextCursor: `c${index}`,
  }));
  const { ask } = agency(...pages, { data: [], nextCursor: 'c99' });
  expect(await read(ask)).toHaveLength(101);
});

test.each([null, undefined, ''])('keeps the cursor when an empty page comes with %p', async (nextCursor) => {
  const { ask } = agency({ data: [], nextCursor });
  expect(await read(ask, 'last')).toEqual([[[], 'last']]);
});

test('has no cursor while there has never been an event', async () => {
  const { ask } = agency({ data: [], nextCursor: null });
  expect(await read(ask)).toEqual([[[], undefined]]);
});

test('asks for no more than the limit, and loses nothing when the agency gives more', async () => {
  const exact = agency({ data: [event('a'), event('b')], nextCursor: 'two' });
  expect(await read(exact.ask, undefined, 2)).toEqual([[['a', 'b'], 'two']]);
  const { asked, ask } = agency(
    { data: [event('a')], nextCursor: 'one' },
    { data: [event('b'), event('c'), event('d')], nextCursor: 'four' },
  );
  expect(await read(ask, undefined, 3)).toEqual([
    [['a'], 'one'],
    [['b', 'c', 'd'], 'four'],
  ]);
  expect(asked.map(({ limit }) => limit)).toEqual([3, 2]);
});

test('asks with the first limit when a cursor holds for that alone', async () => {
  const ask: FeedRequest = async ({ limit, after = '0' }) => {
    if (limit !== 3) throw new AgencyError('Odd cursor.', 'Run it again.', { code: 'INVALID_CURSOR' });
    return { body: { data: [event(after)], nextCursor: String(Number(after) + 1) } };
  };
  expect((await read(ask, undefined, 3)).map(([events]) => events)).toEqual([['0'], ['1'], ['2']]);
});

test.each(['same', null])(
  'stops when events come with the cursor %p, which would never end',
  async (nextCursor) => {
    const { ask } = agency({ data: [event('a')], nextCursor });
    await expect(read(ask, 'same')).rejects.toMatchObject({
      message: 'The agency returned events without a new position, so the feed would never end.',
      description: "Run it again. If that does not help, contact the agency's support.",
    });
  },
);

test('stops at an answer without rows', async () => {
  const { ask } = agency(JSON.parse('{ "nextCursor": null }'));
  await expect(read(ask)).rejects.toThrow('without data');
});

test('gives an event that comes again only once, and stops when the cursor goes back', async () => {
  const again = agency(
    { data: [event('a'), event('b')], nextCursor: 'one' },
    { data: [event('b'), event('c')], nextCursor: 'two' },
    { data: [], nextCursor: 'two' },
  );
  expect(await read(again.ask)).toEqual([
    [['a', 'b'], 'one'],
    [['c'], 'two'],
    [[], 'two'],
  ]);
  for (const cursors of [
    ['one', 'zero'],
    ['one', 'two', 'one'],
  ]) {
    const back = agency(...cursors.map((nextCursor, index) => ({ data: [event(`e${index}`)], nextCursor })));
    await expect(read(back.ask, 'zero')).rejects.toThrow('without a new position');
  }
});

test('ends when every page has a new cursor and the same events', async () => {
  let pages = 0;
  const ask = async () => ({ body: { data: [event('a')], nextCursor: String((pages += 1)) } });
  expect((await read(ask)).filter(([events]) => events?.length !== 0)).toEqual([[['a'], '1']]);
});
