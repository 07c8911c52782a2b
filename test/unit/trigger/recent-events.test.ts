import { RecentEvents } from '../../../nodes/AccountingAgencyTrigger/recent-events';

afterEach(() => jest.restoreAllMocks());

describe('an event that this process has seen in the last minute', () => {
  test('is a copy once the first one is stored', async () => {
    const sightings = new RecentEvents();
    expect(await sightings.isCopy('a')).toBe(false);
    sightings.stored('a');
    expect(await sightings.isCopy('a')).toBe(true);
    expect(await sightings.isCopy('b')).toBe(false);
  });

  test('makes simultaneous copies wait until the first one is stored', async () => {
    const sightings = new RecentEvents();
    const calls = Array.from({ length: 5 }, async () => await sightings.isCopy('a'));
    setTimeout(() => sightings.stored('a'), 60);
    expect(await Promise.all(calls)).toEqual([false, true, true, true, true]);
  });

  test('is no copy when the first one is never stored', async () => {
    const sightings = new RecentEvents();
    expect(await sightings.isCopy('a')).toBe(false);
    const started = Date.now();
    expect(await sightings.isCopy('a')).toBe(false);
    expect(Date.now() - started).toBeLessThan(9_000);
  });

  test('is forgotten before the agency repeats it for the first time, after a minute', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const sightings = new RecentEvents();
    await sightings.isCopy('a');
    sightings.stored('a');
    clock.mockReturnValue(1_000_000 + 59_000);
    expect(sightings.has('a')).toBe(false);
    expect(await sightings.isCopy('a')).toBe(false);
  });
});
