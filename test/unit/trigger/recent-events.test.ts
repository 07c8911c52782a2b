import { RecentEvents } from '../../../nodes/AccountingAgencyTrigger/deduplication/recent-events';

afterEach(() => jest.restoreAllMocks());

describe('an event that this process has seen in the last minute', () => {
  test('is a copy once the first one is stored', async () => {
    const recentEvents = new RecentEvents();
    expect(await recentEvents.isCopy('a')).toBe(false);
    recentEvents.stored('a');
    expect(await recentEvents.isCopy('a')).toBe(true);
    expect(await recentEvents.isCopy('b')).toBe(false);
  });

  test('makes simultaneous copies wait until the first one is stored', async () => {
    const recentEvents = new RecentEvents();
    const calls = Array.from({ length: 5 }, async () => await recentEvents.isCopy('a'));
    setTimeout(() => recentEvents.stored('a'), 60);
    expect(await Promise.all(calls)).toEqual([false, true, true, true, true]);
  });

  test('is no copy when the first one is never stored', async () => {
    const recentEvents = new RecentEvents();
    expect(await recentEvents.isCopy('a')).toBe(false);
    const started = Date.now();
    expect(await recentEvents.isCopy('a')).toBe(false);
    expect(Date.now() - started).toBeLessThan(9_000);
  });

  test('is forgotten before the agency repeats it for the first time, after a minute', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const recentEvents = new RecentEvents();
    await recentEvents.isCopy('a');
    recentEvents.stored('a');
    clock.mockReturnValue(1_000_000 + 59_000);
    expect(recentEvents.has('a')).toBe(false);
    expect(await recentEvents.isCopy('a')).toBe(false);
  });
});
