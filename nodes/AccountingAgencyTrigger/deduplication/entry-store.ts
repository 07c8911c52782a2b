import { type DeduplicationHelperFunctions, sleep } from 'n8n-workflow';

/** Tries of a call to the store. The first simultaneous calls of a node collide when they make its row. */
const STORE_ATTEMPTS = 5;
const FIRST_WAIT_MS = 40;
/** A process that stood still in the middle of its own write may put back the list as it was so long ago. */
const UNCONFIRMED_MS = 10_000;

/** What the store held before, and how long it took to say so, in milliseconds. */
interface Recorded {
  held: string[];
  took: number;
}

/** n8n's store of processed values, which is one list for each node. */
export interface EntryStore {
  /** Adds what it does not hold yet. Others may have been recorded with it: what was held may be theirs. */
  record(entries: string[]): Promise<Recorded>;
  /** Has the next calls of this process add them again, in case another process overwrites them. */
  keep(entries: string[]): void;
  forget(entries: string[]): Promise<void>;
}

type RecordEntries = (entries: string[]) => Promise<Recorded>;

/** What a store is asked in one call. */
interface Batch {
  entries: Set<string>;
  /** Of the newest execution that joined, so that its settings apply. */
  record: RecordEntries;
  outcome: Promise<Recorded>;
}

/** What this process keeps of a node's store. */
interface Lane {
  /** The call that was given last; each begins when the one before has ended. */
  last: Promise<unknown>;
  /** The batch whose turn has not come yet. */
  open?: Batch;
  /** Entries that another process may still overwrite, and until when. */
  unconfirmed: Map<string, number>;
}

const lanes = new Map<string, Lane>();

/**
 * n8n's store for one node. It reads the list, changes it and writes it back whole, so that simultaneous calls
 * undo each other: here they run one after the other in this process, and are repeated when they throw. What is to be
 * recorded while a call runs goes into the next one together, since a call costs as much as its whole list is long.
 *
 * @param node what the list belongs to: workflow and node
 * @param maxEntries how many entries the list keeps, the newest ones
 */
export function entryStore(
  helpers: Pick<DeduplicationHelperFunctions, 'checkProcessedAndRecord' | 'removeProcessed'>,
  node: string,
  maxEntries: number,
): EntryStore {
  const options = { mode: 'entries' as const, maxEntries };
  const lane = lanes.get(node) ?? { last: Promise.resolve(), unconfirmed: new Map<string, number>() };
  lanes.set(node, lane);
  const record: RecordEntries = async (entries) => {
    const started = Date.now();
    const { processed } = await helpers.checkProcessedAndRecord(entries, 'node', options);
    return { held: processed.map(String), took: Date.now() - started };
  };
  return {
    record: async (entries) => await repeated(async () => await together(lane, entries, record)),
    keep: (entries) => {
      for (const entry of entries) lane.unconfirmed.set(entry, Date.now() + UNCONFIRMED_MS);
    },
    forget: async (entries) =>
      await repeated(
        async () => await inTurn(lane, async () => await helpers.removeProcessed(entries, 'node', options)),
      ),
  };
}

/** Records entries with all that wait for their turn, but for the same ones, of which one is first. */
async function together(lane: Lane, entries: string[], record: RecordEntries): Promise<Recorded> {
  const { open } = lane;
  if (open !== undefined && !entries.some((entry) => open.entries.has(entry))) {
    for (const entry of entries) open.entries.add(entry);
    open.record = record;
    return await open.outcome;
  }
  const batch: Batch = {
    entries: new Set(entries),
    record,
    outcome: inTurn(lane, async () => {
      if (lane.open === batch) lane.open = undefined;
      return await batch.record([...new Set([...unconfirmed(lane), ...batch.entries])]);
    }),
  };
  lane.open = batch;
  return await batch.outcome;
}

/** What the next call adds again, in case another process has overwritten it. */
function unconfirmed({ unconfirmed: entries }: Lane): string[] {
  for (const [entry, until] of entries) if (until < Date.now()) entries.delete(entry);
  return [...entries.keys()];
}

/** Runs `work` after all that was given for the same lane before. */
async function inTurn<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
  const turn = lane.last.then(work, work);
  lane.last = turn;
  return await turn;
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < STORE_ATTEMPTS; attempt += 1) {
    const [outcome] = await Promise.allSettled([work()]);
    if (outcome.status === 'fulfilled') return outcome.value;
    await sleep(FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2));
  }
  return await work();
}
