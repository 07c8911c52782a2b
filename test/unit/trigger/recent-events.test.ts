import { RecentEvents } from '../../../nodes/AccountingAgencyTrigger/deduplication/recent-events';
import { skipWaits } from '../../support/time/waits';

afterEach(() => jest.restoreAllMocks());

describe('an event that this process has seen in the last minute', () => {
  test('is a copy at once when the first one is stored', async () => {
    const waits = skipWaits();
    const recentEvents = new RecentEvents();
    expect(await recentEvents.isCopy('a')).toBe(false);
    expect(recentEvents.has('a')).toBe(true);
    recentEvents.stored('a');
    expect(await recentEvents.isCopy('a')).toBe(true);
    expect(recentEvents.has('b')).toBe(false);
    expect(await recentEvents.isCopy('b')).toBe(false);
    expect(waits).toEqual([]);
  });

  test('is known to no other process, which executes it all the same', async () => {
    const other = new RecentEvents();
    other.stored('a');
    expect(other.has('a')).toBe(false);
    expect(await other.isStored('a')).toBe(false);
  });

  test('makes simultaneous copies wait until the first one is stored', async () => {
    const recentEvents = new RecentEvents();
    const calls = Array.from({ length: 5 }, async () => await recentEvents.isCopy('a'));
    setTimeout(() => recentEvents.stored('a'), 60);
    expect(await Promise.all(calls)).toEqual([false, true, true, true, true]);
  });

  test('is no copy when the first one is not stored within three seconds', async () => {
    const recentEvents = new RecentEvents();
    expect(await recentEvents.isCopy('a')).toBe(false);
    const waits = skipWaits();
    expect(await recentEvents.isCopy('a')).toBe(false);
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(3_000);
  });

  test('is forgotten before the agency repeats it for the first time, after a minute', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const recentEvents = new RecentEvents();
    await recentEvents.isCopy('a');
    recentEvents.stored('a');
    clock.mockReturnValue(1_000_000 + 49_999);
    expect(recentEvents.has('a')).toBe(true);
    clock.mockReturnValue(1_000_000 + 50_000);
    expect(recentEvents.has('a')).toBe(false);
    expect(await recentEvents.isCopy('a')).toBe(false);
  });
});
