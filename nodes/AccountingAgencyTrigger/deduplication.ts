import {
  type DeduplicationHelperFunctions,
  type IExecuteFunctions,
  type INodeExecutionData,
  type IWebhookFunctions,
  sleep,
} from 'n8n-workflow';
import { agencyOrigin } from '../shared/api/address';
import { type NodeContext, nodeKey } from '../shared/node-name';

// An event may come twice: the agency repeats its call, or the comparison with the event feed finds it as well. All
// executions of the trigger pass through `firstTimeItems`, where repeats end.

/** How many events n8n remembers for a node, unless told. */
export const DEFAULT_HISTORY_SIZE = 5_000;
export const SMALLEST_HISTORY_SIZE = 50;
/** The event itself, and the event with its execution. */
const ENTRIES_PER_EVENT = 2;

/** Tries of a call to the store. The first simultaneous calls of a node collide when they make its row. */
const STORE_ATTEMPTS = 5;
const FIRST_WAIT_MS = 40;
/** How often an entry that another process has overwritten is written again. */
const READ_BACKS = 5;
/** Longer than a call to the store takes, also in a busy process, so that another process's call has ended. */
const SETTLE_MS = 400;
/** A process that stood still in the middle of its own write may put back the list as it was so long ago. */
const UNCONFIRMED_MS = 10_000;

/** Under the minute after which the agency repeats a call for the first time (spec: Webhook delivery, 4). */
const RECENT_MS = 50_000;
/** How long a copy waits to see the first call stored; the agency waits 10 seconds for an answer. */
const COPY_TIMEOUT_MS = 3_000;
const STEP_MS = 25;

interface RecentEvent {
  at: number;
  /** n8n has stored the execution: it has begun in this process. */
  stored: boolean;
}

/**
 * The events that this process took in the last minute, by key. A copy that comes at the same time is answered without
 * an execution of its own, but only when the first one is safe: otherwise an event would be lost whose first call n8n
 * could not store. Only a short cut: what makes an event run once is `claim`.
 */
export class RecentEvents {
  private readonly byKey = new Map<string, RecentEvent>();

  /** Whether this process took the event itself, so that no other process executes it. */
  has(key: string): boolean {
    return this.fresh(key) !== undefined;
  }

  /** Notes an event. Resolves with `true` when an execution for it is already stored. */
  async isCopy(key: string): Promise<boolean> {
    const first = this.fresh(key);
    if (first === undefined) {
      this.byKey.set(key, { at: Date.now(), stored: false });
      return false;
    }
    for (let waited = 0; !first.stored && waited < COPY_TIMEOUT_MS; waited += STEP_MS) await sleep(STEP_MS);
    return first.stored;
  }

  /** Called when the execution of an event begins. */
  stored(key: string): void {
    const first = this.byKey.get(key);
    if (first !== undefined) first.stored = true;
  }

  private fresh(key: string): RecentEvent | undefined {
    const oldest = Date.now() - RECENT_MS;
    // The map keeps the order of arrival.
    for (const [old, { at }] of this.byKey) {
      if (at > oldest) break;
      this.byKey.delete(old);
    }
    return this.byKey.get(key);
  }
}

const recentEvents = new RecentEvents();

/** Whether an event that has just been called in is already being worked on, so that it needs no execution. */
export async function isCopy(context: IWebhookFunctions, event: string): Promise<boolean> {
  return await recentEvents.isCopy(eventKey(context, event));
}

/**
 * The items whose events have not run before, of those that an execution begins with. Nothing is dropped when a
 * person runs the workflow by hand or tries an execution again.
 */
export async function firstTimeItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const mode = context.getMode();
  const items: INodeExecutionData[] = [];
  for (const item of context.getInputData()) {
    const { id } = item.json;
    if (typeof id !== 'string' || (await isFirstTime(context, id)) || mode === 'retry') items.push(item);
  }
  // With "Always Output Data", n8n would make an item of nothing and run the next nodes. It is turned off in the copy of
  // the node that this execution has: an error would not do, since "On Error: Continue" would pass the repeated event
  // itself on. A refusal at publication would not do either: n8n 2 asks no node when only this setting changes, and at
  // its next start it would remove the webhook endpoint of a node that refuses.
  if (items.length === 0) context.getExecuteData().node.alwaysOutputData = false;
  return items;
}

async function isFirstTime(context: IExecuteFunctions, event: string): Promise<boolean> {
  const key = eventKey(context, event);
  const alone = recentEvents.has(key);
  recentEvents.stored(key);
  if (context.getMode() === 'manual') return true;
  try {
    const { deduplicationHistorySize } = context.getNodeParameter('options', 0, {});
    const maxEntries = ENTRIES_PER_EVENT * historySize(deduplicationHistorySize);
    const store = entryStore(context.helpers, nodeKey(context), maxEntries);
    const { address } = await context.getCredentials('accountingAgencyApi');
    const entry = entryOf(agencyOrigin(address), event);
    noteBegun(context, entry);
    return await claim(store, entry, context.getExecutionId(), alone);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.logger.warn(
      `n8n could not record that the event ${event} has run; it runs now all the same: ${reason}`,
    );
    return true;
  }
}

/** How many events are remembered. `entered` is the option's value, whatever it is. */
function historySize(entered: unknown): number {
  return typeof entered === 'number' && entered >= SMALLEST_HISTORY_SIZE
    ? Math.floor(entered)
    : DEFAULT_HISTORY_SIZE;
}

function eventKey(context: IExecuteFunctions | IWebhookFunctions, event: string): string {
  return JSON.stringify([nodeKey(context), context.getMode() === 'manual' ? 'test' : 'production', event]);
}

/** Executions of a node that are remembered to have begun, until older ones are forgotten. */
const MOST_BEGUN = 10_000;
const begun = new Map<string, Set<string>>();

/** Whether an execution of an event has begun in this process, so that the event did arrive. */
export function hasBegun(context: NodeContext, agency: string, event: string): boolean {
  return begun.get(nodeKey(context))?.has(entryOf(agency, event)) === true;
}

function noteBegun(context: NodeContext, entry: string): void {
  const entries = begun.get(nodeKey(context)) ?? new Set<string>();
  begun.set(nodeKey(context), entries.add(entry));
  // A set keeps the order of arrival.
  for (const oldest of entries) {
    if (entries.size <= MOST_BEGUN) break;
    entries.delete(oldest);
  }
}

/** Another agency may give the same ID to another event. */
function entryOf(agency: string, event: string): string {
  return `${agency} ${event}`;
}

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
      store.keep([event, own]);
      return true;
    }
    await sleep(SETTLE_MS + 4 * took + Math.random() * SETTLE_MS);
  }
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
