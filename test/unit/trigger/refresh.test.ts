import { setImmediate as settled } from 'node:timers/promises';
import { refresh } from '../../../nodes/AccountingAgencyTrigger/refresh';
import { until } from '../../support/until';

/** Time that passes turn by turn, so that a busy machine changes nothing. */
class Clock {
  turn = 0;
  private waiting: AbortController[] = [];

  constructor() {
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      expect(milliseconds).toBe(2_000);
      const controller = new AbortController();
      this.waiting.push(controller);
      return controller.signal;
    });
  }

  /** Lets turns pass. */
  async pass(turns: number): Promise<void> {
    for (const end = this.turn + turns; this.turn < end;) {
      this.turn += 1;
      for (const controller of this.waiting.splice(0)) controller.abort();
      await settled();
    }
  }

  /** Notes what is written in which turn. */
  notebook() {
    const written: [number, string][] = [];
    const write = async (entries: string[]) => void written.push([this.turn, entries.join()]);
    return { written, write };
  }
}

afterEach(() => jest.restoreAllMocks());

test('writes the entries of a lane again in five turns, together, and then no more', async () => {
  const clock = new Clock();
  const one = clock.notebook();
  const other = clock.notebook();
  refresh('one', ['a'], one.write);
  refresh('other', ['x'], other.write);
  refresh('one', ['b', 'c'], one.write);
  await clock.pass(1);
  refresh('one', ['d'], one.write);
  await clock.pass(7);
  expect(one.written).toEqual([
    [1, 'a,b,c'],
    [2, 'd,a,b,c'],
    [3, 'd,a,b,c'],
    [4, 'd,a,b,c'],
    [5, 'd,a,b,c'],
    [6, 'd'],
  ]);
  expect(other.written).toEqual([1, 2, 3, 4, 5].map((turn) => [turn, 'x']));
});

test('goes on after a write that did not succeed, and begins anew after the last turn', async () => {
  const clock = new Clock();
  const { written, write } = clock.notebook();
  const broken = async (entries: string[]) => {
    await write(entries);
    throw new Error('SQLITE_BUSY');
  };
  refresh('broken', ['a'], broken);
  await clock.pass(6);
  refresh('broken', ['b'], write);
  await clock.pass(6);
  expect(written.map(([, entries]) => entries)).toEqual([...Array(5).fill('a'), ...Array(5).fill('b')]);
});

test('writes by the newest execution, whose settings apply', async () => {
  const clock = new Clock();
  const older = clock.notebook();
  const newer = clock.notebook();
  refresh('lane', ['a'], older.write);
  await clock.pass(1);
  refresh('lane', ['b'], newer.write);
  await clock.pass(6);
  expect(older.written).toEqual([[1, 'a']]);
  expect(newer.written.map(([, entries]) => entries)).toEqual(['b,a', 'b,a', 'b,a', 'b,a', 'b']);
});

test('waits two seconds for a turn, by the clock', async () => {
  const written: string[][] = [];
  refresh('real', ['a'], async (entries) => void written.push(entries));
  const started = performance.now();
  await until('the first turn', () => written.length > 0);
  expect(performance.now() - started).toBeGreaterThan(1_900);
});
