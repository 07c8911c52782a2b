import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import * as Deduplication from '../../../nodes/AccountingAgencyTrigger/deduplication/deduplication';
import * as Store from '../../../nodes/AccountingAgencyTrigger/deduplication/entry-store';
import { skipWaits } from '../../support/time/waits';
import { ProcessedEntries } from '../../support/trigger/entries';
import { until } from '../../support/time/until';

/** A process of n8n: it has modules of its own, and shares nothing but the store with another one. */
class Process {
  private readonly modules: typeof Deduplication & typeof Store;

  constructor(
    private readonly entries: ProcessedEntries,
    private readonly alone = true,
    /** Of the next executions. */
    public maxEntries = 10_000,
  ) {
    this.modules = this.load();
  }

  async claim(event: string, execution: string): Promise<boolean> {
    const store = this.modules.entryStore(this.entries, 'workflow/node', this.maxEntries);
    return await this.modules.claim(store, event, execution, this.alone);
  }

  private load(): typeof Deduplication & typeof Store {
    const folder = '../../../nodes/AccountingAgencyTrigger/deduplication';
    let loaded: (typeof Deduplication & typeof Store) | undefined;
    jest.isolateModules(() => {
      loaded = {
        ...jest.requireActual<typeof Deduplication>(`${folder}/deduplication`),
        ...jest.requireActual<typeof Store>(`${folder}/entry-store`),
      };
    });
    if (loaded === undefined) throw new Error('The module was not loaded.');
    return loaded;
  }
}

afterEach(() => jest.restoreAllMocks());

const events = (count: number) => Array.from({ length: count }, (_, index) => `evt_${index}`);

/** Claims each event with so many at the same time, and gives those whose next nodes run. */
async function claimAll(
  processes: Process[],
  names: string[],
  turn: string,
  inFlight = 10,
): Promise<string[]> {
  const ran: string[] = [];
  const queue = names.entries();
  const worker = async () => {
    for (const [index, event] of queue) {
      const process = processes[index % processes.length];
      if (await process?.claim(event, `${turn}-${index}`)) ran.push(event);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return ran.sort();
}

describe('in one process', () => {
  test('runs a burst of 300 events with 10 in flight once each, and none when they are repeated later', async () => {
    const process = new Process(new ProcessedEntries(1));
    expect(await claimAll([process], events(300), 'first')).toEqual(events(300).sort());
    expect(await claimAll([process], events(300), 'repeat')).toEqual([]);
  });

  test('runs one of 20 simultaneous copies', async () => {
    const process = new Process(new ProcessedEntries());
    expect(await claimAll([process], Array<string>(20).fill('evt_1'), 'copy', 20)).toEqual(['evt_1']);
  });

  test('asks the store once for all events that wait for it, and gives each its own answer', async () => {
    const entries = new ProcessedEntries();
    const process = new Process(entries);
    await claimAll([process], events(10), 'before');
    entries.calls = 0;
    // The first ten have run before, the rest have not.
    expect(await claimAll([process], events(100), 'burst', 100)).toEqual(events(100).slice(10).sort());
    expect(entries.calls).toBe(1);
    expect(entries.entries).toHaveLength(200);
  });

  test('knows after a restart what has run before it', async () => {
    const entries = new ProcessedEntries();
    await claimAll([new Process(entries)], events(20), 'first');
    expect(await claimAll([new Process(entries)], events(20), 'repeat')).toEqual([]);
  });

  test('runs an execution again that was killed, and a copy that was killed not', async () => {
    const process = new Process(new ProcessedEntries());
    expect(await process.claim('evt_1', 'a')).toBe(true);
    expect(await process.claim('evt_1', 'b')).toBe(false);
    expect(await process.claim('evt_1', 'a')).toBe(true);
    expect(await process.claim('evt_1', 'b')).toBe(false);
  });

  test('keeps two entries for each event, none for its copies, and no more than it is told to', async () => {
    const entries = new ProcessedEntries();
    const process = new Process(entries, true, 6);
    await process.claim('evt_0', 'a');
    for (const copy of ['b', 'c', 'd']) await process.claim('evt_0', copy);
    expect(entries.entries).toEqual(['evt_0', 'evt_0#a']);
    await claimAll([process], events(5), 'first');
    expect(entries.entries).toHaveLength(6);
  });

  test('cuts nothing by older settings: those of the newest execution apply', async () => {
    const entries = new ProcessedEntries();
    const process = new Process(entries, true, 4);
    const older = claimAll([process], events(3), 'older');
    process.maxEntries = 100;
    await Promise.all([older, claimAll([process], ['evt_9'], 'newer')]);
    expect(entries.entries).toHaveLength(8);
    process.maxEntries = 4;
    await claimAll([process], ['evt_10'], 'newest');
    expect(entries.entries).toHaveLength(4);
  });

  test('runs no copy again because its own entry could not be removed', async () => {
    const entries = new ProcessedEntries();
    const process = new Process(entries);
    await process.claim('evt_1', 'a');
    jest.spyOn(entries, 'removeProcessed').mockRejectedValue(new Error('SQLITE_BUSY'));
    expect(await process.claim('evt_1', 'b')).toBe(false);
  });

  test('tries again when the store throws, and loses no event by it', async () => {
    const entries = new ProcessedEntries();
    entries.faults.push(new Error('SQLITE_BUSY'), new Error('SQLITE_BUSY'));
    const process = new Process(entries);
    expect(await process.claim('evt_1', 'a')).toBe(true);
    expect(await process.claim('evt_1', 'b')).toBe(false);
  });

  test('says so when the store throws every time, after four waits that double', async () => {
    const entries = new ProcessedEntries();
    entries.faults.push(...Array.from({ length: 5 }, () => new Error('SQLITE_BUSY')));
    const waits = skipWaits();
    await expect(new Process(entries).claim('evt_1', 'a')).rejects.toThrow('SQLITE_BUSY');
    expect(waits).toEqual([60, 120, 240, 480]);
  });
});

describe("n8n's store of a node", () => {
  test('is its list of entries, with their number, and says what it held and how long it took', async () => {
    const entries = new ProcessedEntries();
    const record = jest.spyOn(entries, 'checkProcessedAndRecord');
    const remove = jest.spyOn(entries, 'removeProcessed');
    const store = Store.entryStore(entries, 'workflow/list', 7);
    await store.record(['a']);
    const { held, took } = await store.record(['a', 'b']);
    expect(held).toEqual(['a']);
    expect(took).toBeGreaterThanOrEqual(0);
    expect(took).toBeLessThan(1000);
    expect(record).toHaveBeenLastCalledWith(['a', 'b'], 'node', { mode: 'entries', maxEntries: 7 });
    await store.forget(['a']);
    expect(remove).toHaveBeenLastCalledWith(['a'], 'node', { mode: 'entries', maxEntries: 7 });
  });

  test('is given for ten seconds again what another process may overwrite', async () => {
    const entries = new ProcessedEntries();
    const record = jest.spyOn(entries, 'checkProcessedAndRecord');
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    const store = Store.entryStore(entries, 'workflow/again', 7);
    store.keep(['a']);
    for (const [now, given] of [
      [10_000, ['a', 'b']],
      [10_001, ['b']],
      [10_000, ['b']],
    ] as const) {
      clock.mockReturnValue(now);
      await store.record(['b']);
      expect(record.mock.lastCall?.[0]).toEqual(given);
    }
  });
});

describe('in several processes', () => {
  test('reads back five times, each after the calls of others, and then runs the event', async () => {
    const waits = skipWaits();
    const kept: string[][] = [];
    const store: Store.EntryStore = {
      record: async () => ({ held: [], took: 100 }),
      keep: (entries) => kept.push(entries),
      forget: async () => undefined,
    };
    expect(await Deduplication.claim(store, 'evt_1', 'a', false)).toBe(true);
    expect(waits).toEqual(Array<number>(5).fill(400 + 4 * 100 + 200));
    expect(kept).toEqual([['evt_1', 'evt_1#a']]);
  });

  const processes = (entries: ProcessedEntries) => [1, 2, 3].map(() => new Process(entries, false));

  test('runs every event of a burst, and none when they are repeated later', async () => {
    const three = processes(new ProcessedEntries());
    expect(await claimAll(three, events(90), 'first')).toEqual(events(90).sort());
    expect(await claimAll(three, events(90), 'repeat')).toEqual([]);
  });

  test('runs one of the copies that come to all of them at the same time', async () => {
    const three = processes(new ProcessedEntries());
    const copies = events(20).flatMap((event) => [event, event, event]);
    expect(await claimAll(three, copies, 'copy', 9)).toEqual(events(20).sort());
  });

  test('knows an event whose entries another process wipes out that stood still in its own write', async () => {
    const entries = new ProcessedEntries();
    const [one, other, third] = processes(entries);
    await one?.claim('evt_0', 'before');
    const wait = new EventEmitter();
    entries.stalls.push(once(wait, 'over'));
    const late = other?.claim('evt_1', 'late');
    await sleep(50);
    expect(await one?.claim('evt_2', 'first')).toBe(true);
    wait.emit('over');
    await until('the write of the other process', () => entries.entries.includes('evt_1'));
    expect(entries.entries).not.toContain('evt_2');

    expect(await late).toBe(true);
    expect(await one?.claim('evt_3', 'next')).toBe(true);
    expect(entries.entries).toContain('evt_2#first');
    expect(await third?.claim('evt_2', 'repeat')).toBe(false);
  });
});
