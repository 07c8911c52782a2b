import { type IExecuteFunctions, type INodeExecutionData, type IWebhookFunctions, sleep } from 'n8n-workflow';
import { agencyOrigin } from '../../shared/api/credential';
import { arrivalId } from '../../shared/events/record';
import { type NodeContext, nodeKey } from '../../shared/node-identity';
import { type EntryStore, entryStore } from './entry-store';
import { TAKEN } from '../answer';
import { memoryOf } from '../state/memory';
import { RecentEvents } from './recent-events';

// An event may come twice: the agency repeats its call, or the comparison with the event feed finds it as well. All
// executions of the trigger pass through `firstTimeItems`, where repeats end.

/** How many events n8n remembers for a node, unless told. */
export const DEFAULT_HISTORY_SIZE = 5_000;
export const SMALLEST_HISTORY_SIZE = 50;
/** The event itself, and the event with its arrival. */
const ENTRIES_PER_EVENT = 2;

/** How often an entry that another process has overwritten is written again. */
const READ_BACKS = 5;
/** Longer than a call to the store takes, also in a busy process, so that another process's call has ended. */
const SETTLE_MS = 400;
/** Longer than n8n takes to store an execution for another process; the agency waits 10 seconds for an answer. */
const STORING_ELSEWHERE_MS = 1_000;

const recentEvents = new RecentEvents();

/** Whether an event that has just been called in is already being worked on, so that it needs no execution. */
export async function isCopy(context: IWebhookFunctions, event: string): Promise<boolean> {
  return await recentEvents.isCopy(eventKey(context, event));
}

/** Notes an event that this process hands to n8n from the feed: where it also executes it, no other process does. */
export function noteHandedOn(context: NodeContext, event: string): void {
  recentEvents.note(keyOf(context, event, 'production'));
}

/**
 * Whether n8n stores an execution before it answers the call. n8n 1, which has not this function of n8n 2, answers
 * first: an event would be lost if it were killed in between.
 */
export function storesBeforeAnswer({ getWebhookResourceUrl }: IWebhookFunctions): boolean {
  return typeof getWebhookResourceUrl === 'function';
}

/**
 * Answers a call when n8n has stored its execution: when it has begun or, where executions run in other processes, after
 * a second, since a process that was killed meanwhile does not answer. One that has not begun after three seconds may
 * wait for its turn (N8N_CONCURRENCY_PRODUCTION_LIMIT), or n8n could not store it: it is answered before the agency
 * gives up, but not as taken, so that the comparison with the event feed looks at it again.
 */
export async function answerWhenStored(context: IWebhookFunctions, event: string): Promise<void> {
  const memory = memoryOf(context);
  let isStored = true;
  if (memory.executes === false) await sleep(STORING_ELSEWHERE_MS);
  else isStored = await recentEvents.isStored(eventKey(context, event));
  memory.executes ??= isStored;
  context
    .getResponseObject()
    .status(isStored ? TAKEN : 200)
    .end();
}

/**
 * The items whose events have not run before, of those that an execution begins with. Nothing is dropped when a
 * person runs the workflow by hand, or tries an execution again, unless another one has run its event meanwhile.
 */
export async function firstTimeItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const items: INodeExecutionData[] = [];
  for (const item of context.getInputData()) {
    const { id } = item.json;
    const arrival = arrivalId(item);
    const isEvent = typeof id === 'string' && arrival !== undefined;
    if (!isEvent || (await isFirstTime(context, id, arrival))) items.push(item);
  }
  // With "Always Output Data", n8n would make an item of nothing and run the next nodes. It is turned off in the copy of
  // the node that this execution has: an error would not do, since "On Error: Continue" would pass the repeated event
  // itself on. A refusal at publication would not do either: n8n 2 asks no node when only this setting changes, and at
  // its next start it would remove the webhook endpoint of a node that refuses.
  if (items.length === 0) context.getExecuteData().node.alwaysOutputData = false;
  return items;
}

async function isFirstTime(context: IExecuteFunctions, event: string, arrival: string): Promise<boolean> {
  const key = eventKey(context, event);
  const alone = recentEvents.has(key);
  recentEvents.stored(key);
  if (context.getMode() === 'manual') return true;
  memoryOf(context).executes = true;
  try {
    const { deduplicationHistorySize } = context.getNodeParameter('options', 0, {});
    const maxEntries = ENTRIES_PER_EVENT * historySize(deduplicationHistorySize);
    const store = entryStore(context.helpers, nodeKey(context), maxEntries);
    const { address } = await context.getCredentials('accountingAgencyApi');
    const entry = entryOf(agencyOrigin(address), event);
    noteBegun(context, entry);
    if (context.getMode() !== 'retry' && !begins(arrival)) return false;
    return await claim(store, entry, arrival, alone);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.logger.warn(`n8n could not record that the event ${event} has run; it runs anyway: ${reason}`);
    return true;
  }
}

/** How many events are remembered. `entered` is the option's value, which an expression may spoil after the publication. */
function historySize(entered: unknown): number {
  const number = typeof entered === 'string' ? Number(entered) : entered;
  return typeof number === 'number' && number >= SMALLEST_HISTORY_SIZE
    ? Math.floor(number)
    : DEFAULT_HISTORY_SIZE;
}

function eventKey(context: IExecuteFunctions | IWebhookFunctions, event: string): string {
  return keyOf(context, event, context.getMode() === 'manual' ? 'test' : 'production');
}

function keyOf(context: NodeContext, event: string, purpose: 'test' | 'production'): string {
  return JSON.stringify([nodeKey(context), purpose, event]);
}

/** Executions that are remembered to have begun, until older ones are forgotten. */
const MOST_BEGUN = 10_000;
const begun = new Map<string, Set<string>>();

/** Whether an execution of an event has begun in this process, so that the event did arrive. */
export function hasBegun(context: NodeContext, agency: string, event: string): boolean {
  return begun.get(nodeKey(context))?.has(entryOf(agency, event)) === true;
}

function noteBegun(context: NodeContext, entry: string): void {
  const entries = begun.get(nodeKey(context)) ?? new Set<string>();
  begun.set(nodeKey(context), entries);
  remember(entries, entry);
}

function remember(newest: Set<string>, one: string): void {
  newest.add(one);
  // A set keeps the order of arrival.
  for (const oldest of newest) {
    if (newest.size <= MOST_BEGUN) break;
    newest.delete(oldest);
  }
}

/** Arrivals that run in this process, or have run. */
const running = new Set<string>();

/**
 * Notes that the execution of an arrival begins. n8n runs one twice that it stores while it starts: as it came, and as
 * one that is left over from before. One that a kill has cut off is run again in another process.
 *
 * @returns whether it is the first one here
 */
function begins(arrival: string): boolean {
  if (running.has(arrival)) return false;
  remember(running, arrival);
  return true;
}

/** Lets the executions of these items begin again, e.g. for "Retry On Fail", since they have failed in the trigger itself. */
export function letBeginAgain(items: INodeExecutionData[]): void {
  for (const item of items) running.delete(arrivalId(item) ?? '');
}

/** Another agency may give the same ID to another event. */
function entryOf(agency: string, event: string): string {
  return `${agency} ${event}`;
}

/**
 * Claims an event for one of its arrivals. The event's own entry says that it has run, and a second one for which
 * arrival: an execution that is tried again, or run again after its process was killed, gets it again.
 *
 * @param alone that no other process executes events of this node; otherwise the entries are read back, since another
 * process may have overwritten them, or have claimed the event at the same time
 * @returns whether the next nodes are to run
 */
export async function claim(
  store: EntryStore,
  event: string,
  arrival: string,
  alone: boolean,
): Promise<boolean> {
  const own = `${event}#${arrival}`;
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
