import { type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import type { AgencyClient } from '../shared/api/client';
import { agencyClient } from '../shared/api/credential';
import { isInvalidCursor } from '../shared/api/errors/agency-error';
import { checkFilter, type EventFilter, eventFilter } from '../shared/events/filter';
import { type Outage, type OutageWords, tellEnd, tellFailure } from '../shared/events/outage';
import { includeOf } from '../shared/events/parameters';
import { fullMessage } from '../shared/own-errors';
import { nameOf, nodeKey } from '../shared/node-identity';
import { shownTime } from '../shared/values/dates';
import { answeredAt } from '../shared/values/instant';
import { doRecordsFail, itemMaker, recordsFailSince } from './event-items';
import { type FeedPosition, withoutCursor } from './feed-position';
import { keepPosition, keptPosition } from './kept-position';
import { type StartDate, startDate } from './start-date';
import { fetchTestEvent } from './test-event';
import { readTurn, type Turn } from './read-turn';

/** How many events one execution gets at most: each record is one more request, each file two. */
const MOST_EVENTS = { nothing: 200, record: 100, recordAndFile: 20 };
const OUTAGE: OutageWords = {
  begins: 'cannot read the events, and tries again with each poll',
  lasts: 'The events could not be read for an hour.',
  outlook: 'The node keeps trying, and no event is lost.',
  ends: 'The events can be read again. Those from the meantime run now.',
};
const NO_EVENTS: EventFilter = { types: [], companies: 'all' };

/** Nodes that poll at this moment: n8n polls again although the poll before has not ended. */
const polling = new Map<string, IPollFunctions>();
/** Of those, nodes whose workflow was published again meanwhile, with data from before the poll. */
const republished = new Set<string>();
/** Nodes that cannot read the feed, or the record of its next event. */
const outages = new Map<string, Outage>();
/** The context of a publication, or of a start of n8n, is the same for all its polls. */
const started = new WeakSet<IPollFunctions>();

/**
 * The new events of the feed, oldest first; for a person's test, the newest one. The position moves with the events that are handed to n8n.
 *
 * @throws NodeOperationError while a person publishes the workflow; later once, when the feed could not be read for an
 * hour: n8n makes a failed execution of it, which runs the error workflow. Otherwise the next poll tries again.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
  if (context.getMode() === 'manual') return await fetchTestEvent(context);
  const key = nodeKey(context);
  const running = polling.get(key);
  if (running !== undefined) {
    if (running !== context) republished.add(key);
    return null;
  }
  polling.set(key, context);
  const isFirst = !started.has(context);
  started.add(context);
  const [outcome] = await Promise.allSettled([turn(context, outages.get(key)?.isReported === true)]);
  polling.delete(key);
  const isSuperseded = republished.delete(key);
  if (outcome.status === 'rejected') {
    const isPublication = isFirst && ['activate', 'update'].includes(context.getActivationMode());
    if (isPublication) throw new NodeOperationError(context.getNode(), fullMessage(outcome.reason));
    noteFailure(context, key, outcome.reason);
    return null;
  }
  if (!doRecordsFail(context)) noteSuccess(context, key);
  // n8n 2 drops these items, n8n 1 would run them. The next poll, with the new publication's data, reads them again.
  if (isSuperseded) return null;
  const { items, position } = outcome.value;
  keepPosition(context, { ...position, turns: position.turns + 1 }, isFirst || items.length > 0);
  return items.length === 0 ? null : [items];
}

/** @param isReported whether people were told that the node cannot read on */
async function turn(context: IPollFunctions, isReported: boolean): Promise<Turn> {
  const failSince = recordsFailSince(context);
  const filter = eventFilter(context);
  checkFilter(filter);
  const client = await agencyClient(context);
  const kept = keptPosition(context);
  const start = startDate(context);
  const isKept =
    kept?.agency === client.origin &&
    kept.workflowId === context.getWorkflow().id &&
    (start.entered === '' || start.entered === kept.startDate);
  const position = isKept ? kept : await begin(context, client, start, kept?.turns ?? 0);
  // Nothing of before the first publication runs.
  const isFirst = !isKept && start.entered === '';
  const options = {
    filter: isFirst ? NO_EVENTS : filter,
    most: MOST_EVENTS[includeOf(context.getNodeParameter('include', 'nothing'))],
    itemOf: itemMaker(context, client, isReported, failSince),
  };
  const [outcome] = await Promise.allSettled([readTurn(client, position, options)]);
  if (outcome.status === 'fulfilled') return outcome.value;
  const reason: unknown = outcome.reason;
  if (!isInvalidCursor(reason)) throw reason;
  context.logger.warn(
    `The agency no longer accepts the position of ${nameOf(context)} in the event feed, so the feed is read from the beginning again. Events since ${shownTime(position.since, context.getTimezone())} run, each once.`,
  );
  return await readTurn(client, withoutCursor(position), options);
}

/** The position to begin with: the Start Date, or now. */
async function begin(
  context: IPollFunctions,
  client: AgencyClient,
  { entered, instant }: StartDate,
  turns: number,
): Promise<FeedPosition> {
  return {
    workflowId: context.getWorkflow().id ?? '',
    agency: client.origin,
    startDate: entered,
    since: instant ?? (await agencyTime(client)),
    isSearching: true,
    passed: [],
    turns,
  };
}

/** Now, by the clock that the events have their times from. */
async function agencyTime(client: AgencyClient): Promise<string> {
  const { headers } = await client.request('GET /events', { query: { limit: 1 } });
  return answeredAt(headers);
}

/**
 * Logs what begins to go wrong.
 *
 * @throws NodeOperationError for what lasts: n8n stores a failed execution
 */
function noteFailure(context: IPollFunctions, key: string, error: unknown): void {
  const { outage, report } = tellFailure(context, OUTAGE, outages.get(key), error, Date.now());
  outages.set(key, outage);
  if (report !== undefined) throw new NodeOperationError(context.getNode(), report);
}

/** Says that the feed can be read again, to whom its failure was said. */
function noteSuccess(context: IPollFunctions, key: string): void {
  const report = tellEnd(context, OUTAGE, outages.get(key));
  outages.delete(key);
  if (report !== undefined) context.__emitError(new NodeOperationError(context.getNode(), report));
}
