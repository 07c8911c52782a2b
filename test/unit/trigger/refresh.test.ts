import { setTimeout as wait } from 'node:timers/promises';
import { refresh } from '../../../nodes/AccountingAgencyTrigger/refresh';

const TURN_MS = 2_000;

/** Notes what is written in which turn. */
function notebook() {
  const began = Date.now();
  const written: [number, string][] = [];
  return {
    written,
    write: async (entries: string[]) => {
      written.push([Math.floor((Date.now() - began) / TURN_MS), entries.join()]);
    },
  };
}

test('writes the entries of a lane again in five turns, together, and then no more', async () => {
  const one = notebook();
  const other = notebook();
  refresh('one', ['a'], one.write);
  refresh('other', ['x'], other.write);
  await wait(TURN_MS / 2);
  refresh('one', ['b', 'c'], one.write);
  await wait(TURN_MS);
  refresh('one', ['d'], one.write);
  await wait(7 * TURN_MS);
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
  const { written, write } = notebook();
  const broken = async (entries: string[]) => {
    await write(entries);
    throw new Error('SQLITE_BUSY');
  };
  refresh('broken', ['a'], broken);
  await wait(5.5 * TURN_MS);
  refresh('broken', ['b'], write);
  await wait(5.5 * TURN_MS);
  expect(written.map(([, entries]) => entries)).toEqual([...Array(5).fill('a'), ...Array(5).fill('b')]);
});
