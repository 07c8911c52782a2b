import { type DeduplicationHelperFunctions, sleep } from 'n8n-workflow';
import { refresh } from './refresh';

/** Tries of a call to the store. The first simultaneous calls of a node collide when they make its row. */
const STORE_TRIES = 5;
const FIRST_WAIT_MS = 40;
/** How often an entry that another process has overwritten is written again. */
const READ_BACKS = 5;
/**
 * Longer than a call to the store takes, also in a process that is busy, so that a call of another process that had
 * begun before has ended.
 */
const SETTLE_MS = 400;

const lanes = new Map<string, Promise<unknown>>();

/** What a store is asked in one call. */
interface Batch {
  entries: Set<string>;
  outcome: Promise<Recorded>;
}

/** The batch of each lane whose turn has not come yet. */
const openBatches = new Map<string, Batch>();

/** What the store held before, and how long it took to say so, in milliseconds. */
interface Recorded {
  held: string[];
  took: number;
}

/** n8n's store of processed values, which is one list for each node. */
export interface EntryStore {
  /** Adds what it does not hold yet. Others may have been recorded with it: what was held may be theirs. */
  record(entries: string[]): Promise<Recorded>;
  /** Adds them again in the next seconds, if another process has overwritten them until then. */
  refresh(entries: string[]): void;
  forget(entries: string[]): Promise<void>;
}

/**
 * n8n's store for one node. It reads the list, changes it and writes it back whole, so that simultaneous calls
 * undo each other: here they run one after the other in this process, and are repeated when they throw. What is to be
 * recorded while a call runs goes into the next one together, since a call costs as much as its whole list is long.
 *
 * @param lane what the list belongs to: workflow and node
 * @param maxEntries how many entries the list keeps, the newest ones
 */
export function entryStore(
  helpers: Pick<DeduplicationHelperFunctions, 'checkProcessedAndRecord' | 'removeProcessed'>,
  lane: string,
  maxEntries: number,
): EntryStore {
  const options = { mode: 'entries' as const, maxEntries };
  const record = async (entries: string[]) => {
    const started = Date.now();
    const { processed } = await helpers.checkProcessedAndRecord(entries, 'node', options);
    return { held: processed.map(String), took: Date.now() - started };
  };
  const recordRepeatedly = async (entries: string[]) =>
    await repeated(async () => await together(lane, entries, record));
  return {
    record: recordRepeatedly,
    refresh: (entries) => refresh(lane, entries, recordRepeatedly),
    forget: async (entries) =>
      await repeated(
        async () => await inLane(lane, async () => await helpers.removeProcessed(entries, 'node', options)),
      ),
  };
}

/**
 * Claims an event for an execution. The event's own entry says that it has run, and a second one by which execution:
 * the same one, run again after its process was killed, gets it again.
 *
 * @param alone that no other process executes events of this node; otherwise the entries are read back, since another
 * process may have overwritten them, or have claimed the event at the same time
 * @returns whether the next nodes are to run
 */
export async function claim(
  store: EntryStore,
  event: string,
  execution: string,
  alone: boolean,
): Promise<boolean> {
  const own = `${event}#${execution}`;
  for (let readBacks = 0; ; readBacks += 1) {
    const { held, took } = await store.record([event, own]);
    const isOwn = held.includes(own);
    if (!isOwn && held.includes(event)) {
      // So that a copy, run again, is still a copy, and takes no room in the list. It is a copy in any case.
      await Promise.allSettled([store.forget([own])]);
      return false;
    }
    if (alone) return true;
    if (isOwn || readBacks === READ_BACKS) {
      store.refresh([event, own]);
      return true;
    }
    await sleep(SETTLE_MS + 4 * took + Math.random() * SETTLE_MS);
  }
}

/** Schemas entries with all that wait for their turn in the same lane, but for the same ones, of which one is first. */
async function together(
  lane: string,
  entries: string[],
  record: (entries: string[]) => Promise<Recorded>,
): Promise<Recorded> {
  const open = openBatches.get(lane);
  if (open !== undefined && !entries.some((entry) => open.entries.has(entry))) {
    for (const entry of entries) open.entries.add(entry);
    return await open.outcome;
  }
  const batch: Batch = {
    entries: new Set(entries),
    outcome: inLane(lane, async () => {
      if (openBatches.get(lane) === batch) openBatches.delete(lane);
      return await record([...batch.entries]);
    }),
  };
  openBatches.set(lane, batch);
  return await batch.outcome;
}

/** Runs `work` after all that was given for the same lane before. */
async function inLane<T>(lane: string, work: () => Promise<T>): Promise<T> {
  const turn = (lanes.get(lane) ?? Promise.resolve()).then(work, work);
  lanes.set(lane, turn);
  try {
    return await turn;
  } finally {
    if (lanes.get(lane) === turn) lanes.delete(lane);
  }
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < STORE_TRIES; tries += 1) {
    const [outcome] = await Promise.allSettled([work()]);
    if (outcome.status === 'fulfilled') return outcome.value;
    await sleep(FIRST_WAIT_MS * 2 ** tries * (0.5 + Math.random() / 2));
  }
  return await work();
}
