import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { AgencyClient } from '../shared/api/client';
import { agencyClient } from '../shared/api/credential';
import { type FeedRequest, feedPages } from '../shared/api/event-feed';
import { type AgencyEvent, EVENT_TYPES, type EventType } from '../shared/events/event-types';
import { checkFilter, type EventFilter, eventFilter, matches } from '../shared/events/filter';
import { includeOf } from '../shared/events/parameters';
import { eventItem, withRecord } from '../shared/events/record';
import { InputError } from '../shared/input-error';
import { shownError } from '../shared/own-errors';

/** How long a person waits for a test event. */
const LONGEST_SEARCH_MS = 30_000;

/**
 * The newest event of the feed that would start the workflow, for the editor's Fetch Test Event. Changes nothing.
 *
 * @throws NodeApiError for every problem, and when there is no such event
 */
export async function fetchTestEvent(context: IPollFunctions): Promise<INodeExecutionData[][]> {
  const [outcome] = await Promise.allSettled([newestItem(context)]);
  if (outcome.status === 'fulfilled') return [[outcome.value]];
  throw shownError(context.getNode(), outcome.reason);
}

async function newestItem(context: IPollFunctions): Promise<INodeExecutionData> {
  const filter = eventFilter(context);
  checkFilter(filter);
  const client = await agencyClient(context);
  const event = await newest(client, filter);
  if (event === undefined) {
    throw new InputError(
      'The event feed',
      'has no matching event yet.',
      'Trigger one at the agency, for example by uploading a document, or select more events.',
    );
  }
  const include = includeOf(context.getNodeParameter('include', 'nothing'));
  const item = eventItem(event, { source: 'feed', endpointId: null });
  return await withRecord({ client, helpers: context.helpers, include }, item);
}

/** The feed can be read from its beginning only, so the newest event is the last of as many as time permits. */
async function newest(client: AgencyClient, filter: EventFilter): Promise<AgencyEvent | undefined> {
  const until = Date.now() + LONGEST_SEARCH_MS;
  const filters = narrowed(filter);
  const ask: FeedRequest = async (page) =>
    await client.request('GET /events', { query: { ...filters, ...page } });
  let found: AgencyEvent | undefined;
  for await (const { events } of feedPages(ask, undefined)) {
    found = events.findLast((event) => matches(event, filter)) ?? found;
    if (Date.now() >= until) break;
  }
  return found;
}

/** What the agency itself can filter by: one type, one company. */
function narrowed({ types, companies }: EventFilter): { type?: EventType; companyId?: string } {
  const type = EVENT_TYPES.find((known) => types.length === 1 && known === types[0]);
  const [companyId, ...otherCompanies] = companies === 'all' ? [] : companies;
  return {
    ...(type !== undefined && { type }),
    ...(companyId !== undefined && otherCompanies.length === 0 && { companyId }),
  };
}
