import type { AgencyAnswer, AgencyCall } from '../../../nodes/shared/api/client';
import { type FeedEvent, feedPages, type FeedQuery } from '../../../nodes/shared/api/event-feed';
import type { Page, Reader } from '../../../nodes/shared/api/pagination';

const event = (id: string): FeedEvent => ({
  id,
  type: 'document.received',
  createdAt: '2026-11-27T10:00:00.000Z',
  companyId: null,
  subject: { type: 'document', id },
  data: {},
});

/** An agency that gives these pages, one after the other, whatever it is asked. */
function agency(...pages: Array<Page<FeedEvent>>) {
  const asked: Array<AgencyCall['query']> = [];
  const reader: Reader = {
    async request<T extends object>({ query }: AgencyCall): Promise<AgencyAnswer<T>> {
      asked.push(query);
      const body = pages.shift();
      if (body === undefined) throw new Error('More pages were asked for than there are.');
      return { status: 200, headers: {}, body: JSON.parse(JSON.stringify(body)) };
    },
  };
  return { asked, reader };
}

async function read(reader: Reader, query: FeedQuery = {}, limit?: number) {
  const pages = [];
  for await (const { events, cursor } of feedPages(reader, query, limit)) {
    pages.push([events.map(({ id }) => id), cursor]);
  }
  return pages;
}

test('reads to the page without events that leaves the cursor where it is, which is the one to go on from', async () => {
  const { asked, reader } = agency(
    { data: [event('a'), event('b')], nextCursor: 'two' },
    { data: [], nextCursor: 'two' },
  );
  expect(await read(reader, { after: 'zero', type: 'document.received' })).toEqual([
    [['a', 'b'], 'two'],
    [[], 'two'],
  ]);
  expect(asked).toEqual([
    { type: 'document.received', after: 'zero', limit: 200 },
    { type: 'document.received', after: 'two', limit: 200 },
  ]);
});

test('goes on after a page without events whose cursor has moved, e.g. past events that a filter leaves out', async () => {
  const { reader } = agency(
    { data: [], nextCursor: 'one' },
    { data: [event('a')], nextCursor: 'two' },
    { data: [], nextCursor: 'two' },
  );
  expect(await read(reader, { after: 'zero' })).toEqual([
    [[], 'one'],
    [['a'], 'two'],
    [[], 'two'],
  ]);
});

test('ends, with the newest cursor, when every empty page has another one', async () => {
  const pages = Array.from({ length: 100 }, (_, index) => ({ data: [], nextCursor: `c${index}` }));
  const { asked, reader } = agency(...pages);
  expect((await read(reader, { after: 'zero' })).at(-1)).toEqual([[], 'c50']);
  expect(asked).toHaveLength(51);
});

test.each([null, undefined, ''])('keeps the cursor when an empty page comes with %p', async (nextCursor) => {
  const { reader } = agency({ data: [], nextCursor });
  expect(await read(reader, { after: 'last' })).toEqual([[[], 'last']]);
});

test('has no cursor while there has never been an event', async () => {
  const { reader } = agency({ data: [], nextCursor: null });
  expect(await read(reader)).toEqual([[[], undefined]]);
});

test('asks for no more than the limit, and loses nothing when the agency gives more', async () => {
  const { asked, reader } = agency(
    { data: [event('a')], nextCursor: 'one' },
    { data: [event('b'), event('c'), event('d')], nextCursor: 'four' },
  );
  expect(await read(reader, {}, 3)).toEqual([
    [['a'], 'one'],
    [['b', 'c', 'd'], 'four'],
  ]);
  expect(asked.map((query) => query?.limit)).toEqual([3, 2]);
});

test.each(['same', null])(
  'stops when events come with the cursor %p, which would never end',
  async (nextCursor) => {
    const { reader } = agency({ data: [event('a')], nextCursor });
    await expect(read(reader, { after: 'same' })).rejects.toThrow('the feed would never end');
  },
);

test('stops at an answer without rows', async () => {
  const { reader } = agency(JSON.parse('{ "nextCursor": null }'));
  await expect(read(reader)).rejects.toThrow('without its rows');
});
