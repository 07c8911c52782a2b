import fc from 'fast-check';
import { AgencyError } from '../../../nodes/shared/api/errors/agency-error';
import {
  MOST_EMPTY_PAGES,
  type Page,
  type PageQuery,
  readList,
  readParts,
} from '../../../nodes/shared/api/pagination';

const asIs = (row: unknown) => row;

/** A list of so many rows, as the API pages it. */
function list(rows: number, last: string | null | undefined = null) {
  const asked: PageQuery[] = [];
  const ask = async (page: PageQuery) => {
    asked.push(page);
    const from = Number(page.cursor ?? 0);
    const to = Math.min(from + page.limit, rows);
    const data = Array.from({ length: to - from }, (_, index) => from + index);
    return { body: { data, nextCursor: to < rows ? String(to) : last } };
  };
  return { asked, ask };
}

test.each([
  ['null', null],
  ['empty', ''],
  ['absent', undefined],
])('ends when the next cursor is %s', async (_, last) => {
  const { ask, asked } = list(250, last);
  expect(await readList(ask, asIs)).toHaveLength(250);
  expect(asked).toEqual([
    { limit: 200, cursor: undefined },
    { limit: 200, cursor: '200' },
  ]);
});

test('gives the first rows in order, and asks for no more than is needed', async () => {
  const lists = fc.record({ rows: fc.nat(900), limit: fc.integer({ min: 1, max: 1000 }) });
  await fc.assert(
    fc.asyncProperty(lists, async ({ rows, limit }) => {
      const { ask, asked } = list(rows);
      const expected = Array.from({ length: Math.min(rows, limit) }, (_, index) => index);
      expect(await readList(ask, asIs, limit)).toEqual(expected);
      const sizes = asked.map((page) => page.limit);
      expect(sizes.length).toBeLessThanOrEqual(Math.ceil(limit / 200));
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
    }),
  );
});

test('takes no more rows than were asked for, even if the agency sends them', async () => {
  const generous = async ({ cursor = 'one' }: PageQuery) => ({
    body: cursor === 'one' ? { data: [1, 2], nextCursor: 'two' } : { data: [3, 4, 5], nextCursor: null },
  });
  expect(await readList(generous, asIs, 1)).toEqual([1]);
  expect(await readList(generous, asIs, 3)).toEqual([1, 2, 3]);
});

test.each([{ cursors: ['a', 'a'] }, { cursors: ['a', 'b', 'a'] }])(
  'stops when a cursor comes again: %p',
  async ({ cursors }) => {
    let calls = 0;
    const turning = async () => {
      calls += 1;
      return { body: { data: [calls], nextCursor: cursors[(calls - 1) % cursors.length] } };
    };
    await expect(readList(turning, asIs)).rejects.toMatchObject({
      message: expect.stringContaining('The agency returned the same position twice'),
      description: "Run it again, or set a Limit. If that does not help, contact the agency's support.",
    });
    expect(calls).toBe(cursors.length);
  },
);

test('asks for a page with the first limit when its cursor holds for that alone', async () => {
  const asked: number[] = [];
  const strict = async ({ limit, cursor = '0' }: PageQuery) => {
    asked.push(limit);
    if (limit !== 3) throw new AgencyError('Odd cursor.', 'Run it again.', { code: 'INVALID_CURSOR' });
    return { body: { data: [Number(cursor)], nextCursor: String(Number(cursor) + 1) } };
  };
  expect(await readList(strict, asIs, 3)).toEqual([0, 1, 2]);
  expect(asked).toEqual([3, 2, 3, 1, 3]);
});

test.each(['INVALID_CURSOR', 'VALIDATION_ERROR'])(
  'asks for a first page once that is refused with %s',
  async (code) => {
    let asked = 0;
    const refusing = async () => {
      asked += 1;
      throw new AgencyError('No.', 'Run it again.', { code });
    };
    await expect(readList(refusing, asIs, 3)).rejects.toThrow('No.');
    expect(asked).toBe(1);
  },
);

test.each([{}, { data: null }, { data: { 0: 1 } }, { error: 'x' }])('is no list: %p', async (body) => {
  const odd = async () => ({ body: JSON.parse(JSON.stringify(body)) });
  await expect(readList(odd, asIs)).rejects.toMatchObject({
    message: 'The agency returned a list without data.',
    description:
      'Check the Agency Address of the credential, and that no proxy changes what the agency returns.',
  });
});

test('makes of each row what is asked for, in order', async () => {
  const numbered = (row: unknown) => `row ${String(row)}`;
  const made = await readList(list(250, null).ask, numbered, 201);
  expect(made).toHaveLength(201);
  expect([made.at(0), made.at(200)]).toEqual(['row 0', 'row 200']);
});

/** A list whose pages are what `page` makes, by their number from 0. */
function listOf(page: (index: number) => { data: unknown[]; nextCursor: unknown }) {
  let asked = 0;
  const ask = async (): Promise<{ body: Page<unknown> }> => {
    asked += 1;
    return { body: JSON.parse(JSON.stringify(page(asked - 1))) };
  };
  return { ask, count: () => asked };
}

test.each([
  [{}, 'is not text'],
  [['next'], 'is not text'],
  [7, 'is not text'],
  [true, 'is not text'],
  ['x'.repeat(501), 'has 501 characters'],
  ['x'.repeat(1_000_000), 'has 1000000 characters'],
])(
  'a next cursor that the API would not take ends the list at once, with a short message',
  async (cursor, reason) => {
    const client = listOf(() => ({ data: [1], nextCursor: cursor }));
    await expect(readList(client.ask, asIs)).rejects.toMatchObject({
      message: 'The agency returned a position in the list that cannot be used.',
      description: "Run it again. If that does not help, contact the agency's support.",
      details: { nextCursor: reason },
    });
    expect(client.count()).toBe(1);
  },
);

test('takes a cursor of 500 characters', async () => {
  const client = listOf((index) => ({ data: [index], nextCursor: index === 0 ? 'x'.repeat(500) : null }));
  expect(await readList(client.ask, asIs)).toEqual([0, 1]);
});

test('passes over some pages without a row, but not over page after page of them', async () => {
  const apart = MOST_EMPTY_PAGES + 1;
  const some = listOf((index) => ({
    data: index % apart === apart - 1 ? [index] : [],
    nextCursor: index < 3 * apart - 1 ? `${index}` : null,
  }));
  expect(await readList(some.ask, asIs)).toHaveLength(3);
  const endless = listOf((index) => ({ data: [], nextCursor: `${index}` }));
  await expect(readList(endless.ask, asIs)).rejects.toThrow('would never end');
});

test('reads what rows hold page by page, until there is enough of it', async () => {
  const pairsOfEven = (row: number) => (row % 2 === 0 ? [row, row] : []);
  const { ask, asked } = list(500);
  const parts = Array.from({ length: 500 }, (_, index) => index).flatMap(pairsOfEven);
  expect(await readParts(ask, pairsOfEven, Number.POSITIVE_INFINITY)).toEqual(parts);
  expect(await readParts(ask, pairsOfEven, 200)).toEqual(parts.slice(0, 200));
  expect(await readParts(ask, pairsOfEven, 201)).toEqual(parts.slice(0, 400));
  expect(asked.map(({ limit }) => limit)).toEqual([200, 200, 200, 200, 200, 200]);
});

test('takes a page of 200,000 rows', async () => {
  const data = Array.from({ length: 200_000 }, (_, index) => index);
  const { ask } = listOf(() => ({ data, nextCursor: null }));
  expect(await readList(ask, asIs)).toHaveLength(200_000);
});

test('gives a row that comes again only once, e.g. of a list that grows while it is read', async () => {
  const rows = [{ id: 'c' }, { id: 'b' }, { id: 'a' }];
  const ask = async ({ cursor = '0', limit }: PageQuery) => {
    const from = Number(cursor);
    const to = from + Math.min(limit, 2);
    const data = rows.slice(from, to);
    const nextCursor = to < rows.length ? String(to) : null;
    if (cursor === '0') rows.unshift({ id: 'd' });
    return { body: { data, nextCursor } };
  };
  expect(await readList(ask, asIs)).toEqual([{ id: 'c' }, { id: 'b' }, { id: 'a' }]);
  rows.shift();
  expect(await readList(ask, asIs, 3)).toEqual([{ id: 'c' }, { id: 'b' }, { id: 'a' }]);
});

test('stops when every page has a new cursor and the same rows', async () => {
  let pages = 0;
  const ask = async () => ({ body: { data: [{ id: 1 }, { id: 2 }], nextCursor: String((pages += 1)) } });
  await expect(readList(ask, asIs)).rejects.toThrow('page after page without new data');
  expect(pages).toBeLessThan(100);
});
