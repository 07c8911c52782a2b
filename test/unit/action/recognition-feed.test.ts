import {
  type FeedPosition,
  RecognitionFeed,
} from '../../../nodes/AccountingAgency/resources/document/recognition/recognition-feed';
import type { FeedRequest } from '../../../nodes/shared/api/event-feed';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { systemClock } from '../../../nodes/shared/api/requests/wait';

const START = Date.parse('2026-11-29T10:00:00.000Z');
const { signal } = new AbortController();

let now = START;
beforeEach(() => {
  now = START;
  jest.spyOn(systemClock, 'now').mockImplementation(() => now);
  jest.spyOn(systemClock, 'sleep').mockImplementation(async (milliseconds) => {
    now += milliseconds;
  });
});
afterEach(() => jest.restoreAllMocks());

const timeOf = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** An agency that has read documents at these times, in seconds from the start, and gives pages of so many events. */
function feed(
  outcomes: Record<string, number>,
  { pageSize = 200, kept }: { pageSize?: number; kept?: FeedPosition } = {},
) {
  const asked: number[] = [];
  const events = Object.entries(outcomes).map(([id, at]): Schemas['Event'] => ({
    id: `evt_${id}`,
    type: 'document.ocr_completed',
    createdAt: timeOf(at),
    companyId: 'c',
    subject: { type: 'document', id },
    data: {},
  }));
  const ask: FeedRequest = async ({ after = '0', limit }) => {
    asked.push((now - START) / 1000);
    const from = Number(after);
    const there = events.filter(({ createdAt }) => Date.parse(createdAt) <= now);
    const data = there.slice(from, from + Math.min(limit, pageSize));
    return { body: { data, nextCursor: String(from + data.length) } };
  };
  const store = { get: () => kept, set: jest.fn() };
  return { asked, store, recognition: new RecognitionFeed(ask, store, () => 2000) };
}

const created = (id: string, at = 0) => ({ id, createdAt: timeOf(at) });

test('waits for exactly as long as it is meant to, and looks at its end for the last time', async () => {
  const { asked, recognition } = feed({});
  await recognition.open();
  const outcome = await recognition.outcome(created('a'), START + 61_000, signal);
  expect(outcome.status).toBe('pending');
  expect(now).toBe(START + 61_000);
  expect(asked.at(-1)).toBe(61);
});

test('finds at its end what came since the last poll', async () => {
  const { recognition } = feed({ a: 4.5 });
  await recognition.open();
  expect(await recognition.outcome(created('a'), START + 5000, signal)).toMatchObject({
    status: 'completed',
  });
});

test('ends when it is told to', async () => {
  const { recognition } = feed({});
  const outcome = await recognition.outcome(created('a'), START + 60_000, AbortSignal.abort());
  expect(outcome.status).toBe('pending');
  expect(now).toBe(START);
});

test('reads a history to its end before it waits, however small the pages are', async () => {
  const history = Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`old${index}`, -index - 1]));
  const { asked, recognition } = feed({ ...history, a: 3 }, { pageSize: 10 });
  await recognition.open();
  expect(asked).toEqual([0]);
  await recognition.outcome(created('a'), START + 60_000, signal);
  // 45 events and the end, one poll for nothing, and one for the outcome.
  expect(asked.filter((at) => at <= 2)).toHaveLength(6);
  expect(asked.at(-1)).toBeLessThanOrEqual(6);
});

test('after the end of the feed, one poll is one request', async () => {
  const kept = { after: '1', at: timeOf(-5) };
  const { asked, recognition } = feed({ old: -5, a: 1 }, { kept });
  await recognition.open();
  expect(await recognition.outcome(created('a'), START + 60_000, signal)).toMatchObject({
    status: 'completed',
  });
  expect(asked).toEqual([0, 2]);
});

test('keeps its position only after more than a page of events', async () => {
  for (const [events, times] of [
    [200, 0],
    [201, 1],
  ] as const) {
    const history = Object.fromEntries(Array.from({ length: events }, (_, index) => [`old${index}`, -index]));
    const { store, recognition } = feed(history);
    await recognition.open();
    await recognition.outcome(created('none'), now + 10_000, signal);
    recognition.keepPosition();
    recognition.keepPosition();
    expect(store.set).toHaveBeenCalledTimes(times);
    if (times > 0) expect(store.set).toHaveBeenCalledWith({ after: '201', at: timeOf(-200) });
  }
});

test.each([
  ['after', 1, 'pending'],
  ['at', 0, 'completed'],
  ['before', -1, 'completed'],
])(
  'a document from %s the kept position (%i s) is %s, since only for an older one the history is read',
  async (_, at, status) => {
    const kept = { after: '1', at: timeOf(0) };
    const { recognition } = feed({ a: 0, b: 2 }, { kept });
    await recognition.open();
    const outcome = await recognition.outcome(created('a', at), START + 5000, signal);
    expect(outcome.status).toBe(status);
  },
);
