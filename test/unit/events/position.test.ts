import {
  type FeedPosition,
  readPosition,
  take,
  withoutCursor,
} from '../../../nodes/AccountingAgencyFeedTrigger/feed-position';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { anEvent } from '../../support/trigger/signing';

const ALL = { types: ['all'], companies: 'all' } as const;
const start: FeedPosition = {
  workflowId: 'w',
  agency: 'https://agency.example',
  startDate: '',
  since: '2026-11-10T00:00:00.000Z',
  isSearching: false,
  turns: 1,
  passed: [],
};

/** Events of the given days of November 2026, named by their place. */
const page = (...days: number[]) => ({
  events: days.map((day, index) => ({
    ...(anEvent() as Schemas['Event']),
    id: `evt_${index}`,
    createdAt: `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`,
  })),
  cursor: 'next',
});
const ids = (events: { id: string }[]) => events.map(({ id }) => id);

test('takes a page in the order of the feed, and moves behind it', () => {
  const { events, position } = take(start, page(11, 12, 12), ALL, 10);
  expect(ids(events)).toEqual(['evt_0', 'evt_1', 'evt_2']);
  expect(position).toMatchObject({
    cursor: 'next',
    since: '2026-11-12T00:00:00.000Z',
    passed: ['evt_1', 'evt_2'],
  });
});

test('takes no more than there is room for, and the rest the next time', () => {
  const full = page(11, 12, 13, 14, 15);
  const taken: string[] = [];
  let position = start;
  for (let turns = 0; turns < 3; turns += 1) {
    const next = take(position, full, ALL, 2);
    taken.push(...ids(next.events));
    if (turns < 2) expect(next.position.passed).toEqual(taken);
    expect(next.position.cursor).toBe(turns < 2 ? undefined : 'next');
    position = next.position;
  }
  expect(taken).toEqual(['evt_0', 'evt_1', 'evt_2', 'evt_3', 'evt_4']);
});

test('takes only what the node is set to, and passes the others', () => {
  const { events, position } = take(start, page(11, 12), { ...ALL, types: ['task.completed'] }, 10);
  expect(events).toEqual([]);
  expect(position).toMatchObject({ cursor: 'next', since: '2026-11-12T00:00:00.000Z' });
});

test('skips what is older than the beginning, until there is something newer or the end', () => {
  const searching = { ...start, isSearching: true };
  const none = take(searching, page(8, 9), ALL, 10);
  expect(none).toMatchObject({ events: [], position: { isSearching: true, since: start.since } });
  const empty = { events: [], cursor: 'later' };
  expect(take(none.position, empty, ALL, 10).position).toMatchObject({ isSearching: true, cursor: 'later' });
  expect(take({ ...none.position, cursor: 'later' }, empty, ALL, 10).position.isSearching).toBe(false);
  // Behind the first newer one, the order of the feed counts alone.
  expect(ids(take(searching, page(9, 10, 9), ALL, 10).events)).toEqual(['evt_1', 'evt_2']);
});

test('takes nothing twice when the feed is read from its beginning again', () => {
  const { position } = take(start, page(11, 12, 12), ALL, 10);
  const again = take(withoutCursor(position), page(11, 12, 12, 12), ALL, 10);
  expect(ids(again.events)).toEqual(['evt_3']);
});

test('keeps what it passed over a page without events', () => {
  const { position } = take(start, page(11, 12), ALL, 10);
  expect(take(position, { events: [], cursor: 'later' }, ALL, 10).position).toEqual({
    ...position,
    cursor: 'later',
  });
});

test.each([
  [
    'have finer times than milliseconds',
    ['2026-11-12T00:00:00.000001Z', '2026-11-12T00:00:00.000002Z', '2026-11-12T00:00:00.000003Z'],
  ],
  ['have a time that cannot be read', ['soon', 'soon', 'soon']],
])(
  'takes nothing twice when events of the same time fill several pages, and %s',
  (_, [one = '', two = '', three = '']) => {
    const at = (createdAt: string, ...names: string[]) => ({
      events: page(...names.map(() => 12)).events.map((event, index) => ({
        ...event,
        id: String(names[index]),
        createdAt,
      })),
      cursor: `after ${names.join()}`,
    });
    const pages = [at(one, 'a', 'b'), at(two, 'c', 'd'), at(three, 'e')];
    const read = (from: FeedPosition) => {
      const taken: string[] = [];
      let position = from;
      for (const next of pages) {
        const turn = take(position, next, ALL, 10);
        taken.push(...ids(turn.events));
        position = turn.position;
      }
      return { taken, position };
    };
    const first = read(start);
    expect(first.taken).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(read(withoutCursor(first.position)).taken).toEqual([]);
  },
);

test('knows what it passed while it still searches', () => {
  const passed = ['evt_0'];
  const { position } = take({ ...start, isSearching: true, passed }, page(7, 8), ALL, 10);
  expect(ids(take(position, page(10, 10), ALL, 10).events)).toEqual(['evt_1']);
});

test.each([start, { ...start, cursor: 'next', passed: ['evt_0', 'evt_1'] }])(
  'data are read as they were kept: %j',
  (data) => expect(readPosition(data)).toBe(data),
);

test.each([
  undefined,
  null,
  7,
  'x',
  [],
  {},
  ...Object.keys(start).map((name) => ({ ...start, [name]: name === 'turns' ? 'x' : 7 })),
  { ...start, passed: 'x' },
  { ...start, passed: ['evt_0', 7] },
  { ...start, since: 'soon' },
  { ...start, cursor: 7 },
])('damaged data count as none: %j', (data) => expect(readPosition(data)).toBeUndefined());
