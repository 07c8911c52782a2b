import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';
import type { AgencyClient } from '../../shared/api/client';
import { agencyClient } from '../../shared/api/credential';
import { AgencyError } from '../../shared/api/errors/agency-error';
import { checkFilter, eventFilter } from '../../shared/events/filter';
import { includeOf } from '../../shared/events/parameters';
import { nameOf } from '../../shared/node-identity';
import { fullMessage, isOwnError } from '../../shared/own-errors';
import { checkOptions, checkUrl, recoverySettings } from '../parameters';
import { type FeedProgress, memoryOf } from '../state/memory';
import {
  newestRegistration,
  ownProgress,
  readRegistration,
  type Registration,
  writeRegistration,
} from '../state/static-data';
import { endpointTypes, placeOf } from './desired-endpoint';
import { noteLeftBehind, noteMade, noteUnknown } from './endpoint-log';
import {
  adjustEndpoint,
  type DesiredEndpoint,
  type Endpoint,
  isOwn,
  makeEndpoint,
  removeEndpoint,
} from './endpoint-requests';

/** What n8n calls with a node's context, in `webhookMethods`. */
type Hook = (context: IHookFunctions) => Promise<boolean>;

/**
 * Whether the node's endpoint is at the agency; it is then set as the node is.
 *
 * At a start of n8n the agency may be away. n8n 2 would take the trigger for failed for good, so then an endpoint that
 * the node keeps is believed to be there, and the comparison with the feed makes sure of it later.
 */
export const endpointExists: Hook = withRefusalNoted(async (context) => {
  const { client, desired } = await prepared(context);
  const isTest = context.getActivationMode() === 'manual';
  if (!isStartOfN8n(context) && !isTest) await checkFeedAccess(context, client);
  const { endpoint, generation, progress } = readRegistration(context);
  if (endpoint === undefined) return false;
  if (!isOwn(endpoint, desired)) {
    noteLeftBehind(context, endpoint, desired);
    return false;
  }
  if (await unlessAway(context, adjustEndpoint(client, endpoint.id, desired))) return true;
  noteUnknown(context, endpoint, 'a new one is created');
  writeRegistration(context, { generation: generation + 1, ...(progress && { progress }) });
  return false;
});

/** Creates the node's endpoint. */
export const createEndpoint: Hook = withRefusalNoted(async (context) => {
  const { client, desired } = await prepared(context);
  const lasting = context.getActivationMode() !== 'manual';
  const before = readRegistration(context);
  const made = await unlessAway(context, makeEndpoint(client, before.generation, desired, lasting));
  // The comparison with the feed creates it later.
  if (made === true) return true;
  const next = progressAfter(context, made.endpoint, before);
  writeRegistration(context, { ...made, ...(next && { progress: next }) });
  if (lasting) Object.assign(memoryOf(context), { made, progress: next });
  noteMade(context, made.endpoint, lasting);
  return true;
});

/** Removes the node's endpoint. What it throws makes n8n try again, so the endpoint is forgotten only when it is gone. */
export const deleteEndpoint: Hook = withFullMessage(async (context) => {
  const memory = memoryOf(context);
  // The endpoint of a test has an address of its own.
  const isLasting = memory.desired?.url === context.getNodeWebhookUrl('default');
  if (isLasting) memory.isRemoved = true;
  const newest = isLasting ? newestRegistration(context) : readRegistration(context);
  const { endpoint, generation, progress } = newest;
  if (endpoint === undefined) return true;
  const client = await agencyClient(context);
  const place = placeOf(context, client, urlOf(context));
  if (!isOwn(endpoint, place)) noteLeftBehind(context, endpoint, place);
  else if (!(await removeEndpoint(client, endpoint.id))) noteUnknown(context, endpoint, 'none is removed');
  writeRegistration(context, { generation: generation + 1, ...(progress && { progress }) });
  if (isLasting) memory.made = undefined;
  return true;
});

/** n8n starts, or another of its processes takes the lead: nobody waits for an answer. */
export function isStartOfN8n(context: Pick<IHookFunctions, 'getActivationMode'>): boolean {
  return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

function urlOf(context: IHookFunctions): string {
  return context.getNodeWebhookUrl('default') ?? '';
}

/**
 * What a request gives. At a start of n8n it may also be `true`, with a line in the log: then the agency does not do it
 * now, and it is left to the comparison with the feed, if there is one.
 */
async function unlessAway<T>(context: IHookFunctions, request: Promise<T>): Promise<T | true> {
  if (!isStartOfN8n(context) || recoverySettings(context).everyMinutes === 0) return await request;
  const [outcome] = await Promise.allSettled([request]);
  if (outcome.status === 'fulfilled') return outcome.value;
  if (!(outcome.reason instanceof AgencyError)) throw outcome.reason;
  context.logger.warn(
    `${nameOf(context)} could not check or create its webhook endpoint, and tries again every minute: ${fullMessage(outcome.reason)}`,
  );
  return true;
}

/** Refuses a key that would make every comparison fail. */
async function checkFeedAccess(context: IHookFunctions, client: AgencyClient): Promise<void> {
  if (recoverySettings(context).everyMinutes === 0) return;
  const [outcome] = await Promise.allSettled([client.request('GET /events', { query: { limit: 1 } })]);
  if (outcome.status === 'fulfilled') return;
  const { reason } = outcome;
  if (!(reason instanceof AgencyError) || reason.code !== 'INSUFFICIENT_SCOPE') throw reason;
  throw new NodeOperationError(
    context.getNode(),
    'The API key has no access to the event feed, from which the trigger recovers events that did not arrive. Ask an administrator of the agency to add the scope events:read to the access of the key, or set the option Check Feed Every (Minutes) to 0.',
  );
}

/**
 * How far the feed was compared, as a new endpoint leaves it. The first publication begins where it was created, and so
 * does the first one with the comparison.
 */
function progressAfter(
  context: IHookFunctions,
  { agency, workflowId, createdAt = new Date().toISOString() }: Endpoint,
  before: Registration,
): FeedProgress | undefined {
  const { everyMinutes, recoverUnpublished } = recoverySettings(context);
  // What is not compared may be long past, and delivered.
  if (everyMinutes === 0) return undefined;
  const own = ownProgress(before, { agency, workflowId });
  if (own === undefined) return { agency, workflowId, since: createdAt };
  return isStartOfN8n(context) || recoverUnpublished ? own : { ...own, since: createdAt };
}

/** Everything that a person must mend comes first, so that nothing is asked of the agency before it is mended. */
async function prepared(
  context: IHookFunctions,
): Promise<{ client: AgencyClient; desired: DesiredEndpoint }> {
  const filter = eventFilter(context);
  checkFilter(filter);
  const client = await agencyClient(context);
  const place = placeOf(context, client, urlOf(context));
  checkUrl(place.url, place.agency);
  const desired = { ...place, eventTypes: endpointTypes(filter) };
  checkOptions(context);
  includeOf(context.getNodeParameter('include', 'nothing'));
  // Not of a test, whose endpoint is not the node's lasting one.
  if (context.getActivationMode() !== 'manual')
    Object.assign(memoryOf(context), { desired, isRemoved: false });
  return { client, desired };
}

/** A hook whose errors say everything in their message, since n8n shows nothing else of them at activation. */
function withFullMessage(hook: Hook): Hook {
  return async (context) => {
    try {
      return await hook(context);
    } catch (error) {
      const isPlain = error instanceof Error && !isOwnError(error);
      throw new NodeOperationError(context.getNode(), isPlain ? error : fullMessage(error));
    }
  };
}

/** The same for a hook that may refuse a publication, which the comparison with the feed has to know. */
function withRefusalNoted(hook: Hook): Hook {
  return async (context) => {
    const [outcome] = await Promise.allSettled([withFullMessage(hook)(context)]);
    const isRefused = outcome.status === 'rejected';
    const isPublication = ['activate', 'update'].includes(context.getActivationMode());
    if (isPublication) memoryOf(context).isRefused = isRefused;
    if (isRefused) throw outcome.reason;
    return outcome.value;
  };
}
