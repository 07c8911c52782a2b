import { randomUUID } from 'node:crypto';
import {
  type FunctionsBase,
  type IDataObject,
  type IHookFunctions,
  type ITriggerFunctions,
  type IWebhookFunctions,
  NodeOperationError,
} from 'n8n-workflow';
import { agencyClient } from '../shared/api/connect';
import type { AgencyClient } from '../shared/api/client';
import { AgencyError } from '../shared/api/errors';
import { EVENT_TYPES, TEST_EVENT } from '../shared/events/event-types';
import { checkFilter, type EventFilter, eventFilter } from '../shared/events/filter';
import { ALL_EVENTS } from '../shared/events/parameters';
import { nameOf, type NodeContext } from '../shared/node-name';
import { fullMessage, isOwnError } from '../shared/own-errors';
import { isRecord } from '../shared/values/json';
import { choice } from '../shared/values/text';
import {
  adjustEndpoint,
  type DesiredEndpoint,
  type Endpoint,
  isEndpoint,
  isOwn,
  makeEndpoint,
  removeEndpoint,
} from './endpoint';
import { type FeedProgress, memoryOf } from './memory';
import { checkUrl, recoverySettings } from './parameters';

/** Pages of the feed, or time, after which the position is saved. */
const PAGES_BETWEEN_SAVES = 5;
const SAVE_EVERY_MS = 3_600_000;

/** What a node keeps in n8n's static data. */
export interface Registration {
  endpoint?: Endpoint;
  /** How many endpoints the node had before: a part of the idempotency key of the next one. */
  generation: number;
  progress?: FeedProgress;
}

/** What n8n calls with a node's context, in `webhookMethods`. */
type Hook = (context: IHookFunctions) => Promise<boolean>;

/** Reads what a node keeps. It can be imported, so it may be of another workflow, or damaged: that counts as nothing. */
export function readRegistration(context: StaticDataContext): Registration {
  const { endpoint, generation, progress } = nodeData(context) ?? fallbackData(context);
  return {
    ...(isEndpoint(endpoint) && { endpoint }),
    generation: typeof generation === 'number' && Number.isSafeInteger(generation) ? generation : 0,
    ...(isProgress(progress) && { progress }),
  };
}

/** What a node keeps, with what this process knows and n8n has not saved. */
export function newestRegistration(context: StaticDataContext & NodeContext): Registration {
  const saved = readRegistration(context);
  const { made, progress = saved.progress } = memoryOf(context);
  return { ...saved, ...made, ...(progress && { progress }) };
}

/** Replaces what a node keeps. n8n saves it after the hooks. */
export function writeRegistration(context: StaticDataContext, registration: Registration): void {
  const data = nodeData(context);
  if (data === undefined) {
    // n8n notices a change at this level only.
    context.getWorkflowStaticData('global')[fallbackKey(context)] = { ...registration };
    return;
  }
  delete data.endpoint;
  delete data.progress;
  Object.assign(data, registration);
}

type Logging = Pick<FunctionsBase, 'logger'>;
type StaticDataContext = Pick<FunctionsBase, 'getNode' | 'getWorkflowStaticData'>;

/** The node's own data; `undefined` when something stands in its place that can hold no fields. */
function nodeData(context: StaticDataContext): IDataObject | undefined {
  const data: unknown = context.getWorkflowStaticData('node');
  return isRecord(data) ? context.getWorkflowStaticData('node') : undefined;
}

/** A node cannot replace its own data, so beside damaged data it keeps its own in the workflow's. */
function fallbackData(context: StaticDataContext): Record<string, unknown> {
  const data = context.getWorkflowStaticData('global')[fallbackKey(context)];
  return isRecord(data) ? data : {};
}

function fallbackKey(context: StaticDataContext): string {
  return `accountingAgencyTrigger:${context.getNode().id}`;
}

/**
 * Whether the node's endpoint is at the agency; it is then set as the node is.
 *
 * At a start of n8n the agency may be away. n8n 2 would take the trigger for failed for good, so then an endpoint that
 * the node keeps is believed to be there, and the comparison with the feed makes sure of it later.
 */
export const endpointExists: Hook = withFullMessage(async (context) => {
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
export const createEndpoint: Hook = withFullMessage(async (context) => {
  const { client, desired } = await prepared(context);
  const lasting = context.getActivationMode() !== 'manual';
  const { generation, progress } = readRegistration(context);
  const made = await unlessAway(context, makeEndpoint(client, generation, desired, lasting));
  // The comparison with the feed creates it later.
  if (made === true) return true;
  const next = progressAfter(context, made.endpoint, progress);
  writeRegistration(context, { ...made, progress: next });
  if (lasting) Object.assign(memoryOf(context), { made, progress: next, isUnsaved: false });
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
  if (isLasting) Object.assign(memory, { made: undefined, isUnsaved: false });
  return true;
});

/**
 * Makes sure of the endpoint while the workflow is running: one that was removed is created anew, one that was paused
 * or changed is put right. The secret of a new one is known to this process only, until the agency's test call has
 * n8n save it. Where another process takes the calls, that is not possible, and the next start heals it.
 *
 * @returns the endpoint; `undefined` when there can be none before the next start or publication
 * @throws AgencyError
 */
export async function healEndpoint(
  context: ITriggerFunctions,
  client: AgencyClient,
): Promise<Endpoint | undefined> {
  const memory = memoryOf(context);
  const { endpoint, generation } = newestRegistration(context);
  const url = memory.desired?.url ?? endpoint?.url;
  if (url === undefined) return undefined;
  const desired = { ...placeOf(context, client, url), eventTypes: endpointTypes(eventFilter(context)) };
  const isKept = endpoint !== undefined && isOwn(endpoint, desired);
  if (isKept && (await adjustEndpoint(client, endpoint.id, desired))) return endpoint;
  if (memory.cannotSave === true || isBeingRemoved(context)) return undefined;
  if (isKept) noteUnknown(context, endpoint, 'a new one is created');
  const made = await makeEndpoint(
    client,
    endpoint === undefined ? generation : generation + 1,
    desired,
    true,
  );
  memory.made = made;
  noteMade(context, made.endpoint, true);
  if (!isBeingRemoved(context) && (await save(context, client, made.endpoint))) return made.endpoint;
  Object.assign(memory, { made: undefined, cannotSave: true });
  await removeEndpoint(client, made.endpoint.id);
  if (isBeingRemoved(context)) return undefined;
  context.logger.warn(
    `Calls to ${nameOf(context)} are taken by another process of n8n, which still uses the old webhook endpoint. Until n8n starts again or the workflow is published again, its events come from the event feed.`,
  );
  return undefined;
}

/** Whether the workflow has been unpublished while something was going on. */
function isBeingRemoved(context: NodeContext): boolean {
  return memoryOf(context).isRemoved === true;
}

/**
 * Has n8n save how far the feed was compared, but not after every comparison, since it costs a request and a call.
 *
 * @param pages of the feed that were read since it was saved
 * @returns whether it was saved
 */
export async function saveSoon(
  context: ITriggerFunctions,
  client: AgencyClient,
  pages: number,
): Promise<boolean> {
  const { isUnsaved, savedAt = 0, cannotSave } = memoryOf(context);
  const { endpoint } = newestRegistration(context);
  const isDue = pages >= PAGES_BETWEEN_SAVES || Date.now() - savedAt > SAVE_EVERY_MS;
  if (endpoint === undefined || !isDue || isUnsaved !== true || cannotSave === true) return false;
  // Where test events start the workflow, one that is sent for this alone might start it too.
  if (eventFilter(context).types.includes(TEST_EVENT)) return false;
  const isSaved = await save(context, client, endpoint);
  memoryOf(context).cannotSave = !isSaved;
  return isSaved;
}

/** Saves what this process knows. Called where the static data are fresh and n8n will save them. */
export function saveNewest(context: IWebhookFunctions): void {
  const memory = memoryOf(context);
  if (context.getMode() === 'manual' || memory.isUnsaved !== true) return;
  writeRegistration(context, newestRegistration(context));
  Object.assign(memory, { isUnsaved: false, savedAt: Date.now() });
}

/** Has the agency call the node, so that `saveNewest` runs. @returns whether it did, in this process */
async function save(context: ITriggerFunctions, client: AgencyClient, { id }: Endpoint): Promise<boolean> {
  const memory = memoryOf(context);
  Object.assign(memory, { isUnsaved: true, isSaving: true });
  try {
    await client.request('POST /webhook-endpoints/{id}/test', {
      path: { id },
      header: { 'Idempotency-Key': randomUUID() },
    });
  } finally {
    memory.isSaving = false;
  }
  return memory.isUnsaved === false;
}

/** n8n starts, or another of its processes takes the lead: nobody waits for an answer. */
function isStartOfN8n(context: IHookFunctions): boolean {
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
    `${nameOf(context)} could not make sure of its webhook endpoint, and tries again every minute: ${fullMessage(outcome.reason)}`,
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
    'The API key has no access to the event feed, from which the trigger recovers events that did not arrive. Add the scope events:read to the key, or set the option Compare with Feed Every (Minutes) to 0.',
  );
}

/** How far the feed was compared, as a new endpoint leaves it. The first publication begins where it was created. */
function progressAfter(
  context: IHookFunctions,
  { agency, workflowId, createdAt = new Date().toISOString() }: Endpoint,
  before: FeedProgress | undefined,
): FeedProgress {
  const { everyMinutes, recoverUnpublished } = recoverySettings(context);
  const isOfNode = before?.agency === agency && before.workflowId === workflowId;
  if (!isOfNode) return { agency, workflowId, since: createdAt };
  // What was not compared for a while may be long past, and delivered.
  const beginsAnew = everyMinutes === 0 || (!isStartOfN8n(context) && !recoverUnpublished);
  return beginsAnew ? { ...before, since: createdAt } : before;
}

function isProgress(value: unknown): value is FeedProgress {
  return (
    isRecord(value) &&
    ['agency', 'workflowId', 'since'].every((name) => typeof value[name] === 'string') &&
    (value.position === undefined || typeof value.position === 'string')
  );
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
  recoverySettings(context);
  // Not of a test, whose endpoint is not the node's lasting one.
  if (context.getActivationMode() !== 'manual')
    Object.assign(memoryOf(context), { desired, isRemoved: false });
  return { client, desired };
}

/** The types that an endpoint is set to. A set: neither order nor repeats mean anything. */
function endpointTypes({ types }: EventFilter): DesiredEndpoint['eventTypes'] {
  if (types.includes(ALL_EVENTS)) return ['*'];
  return [...new Set(types)].sort().map((type) => choice('Events', type, EVENT_TYPES));
}

/** @param url the address that n8n gives the node */
function placeOf(
  context: NodeContext,
  { origin }: AgencyClient,
  url: string,
): Omit<DesiredEndpoint, 'eventTypes'> {
  return {
    workflowId: context.getWorkflow().id ?? '',
    nodeId: context.getNode().id,
    url,
    agency: origin,
  };
}

/** Says which endpoint is the node's: nothing else shows its ID, which testing it and its deliveries ask for. */
function noteMade(context: NodeContext & Logging, { id, agency }: Endpoint, lasting: boolean): void {
  const purpose = lasting ? '' : ' for a test';
  context.logger.info(`${nameOf(context)} has the webhook endpoint ${id} at ${agency}${purpose}.`);
}

/** The agency says the same of an endpoint that is gone and of one that belongs to another access. */
function noteUnknown(context: NodeContext & Logging, { id, agency }: Endpoint, so: string): void {
  context.logger.warn(
    `The agency at ${agency} has no webhook endpoint ${id} of ${nameOf(context)}, so ${so}. If the credential has a key of another access now, the endpoint is still there. ${wayToRemove(agency)}`,
  );
}

/** An endpoint that came with a copied workflow is that workflow's; another one can no longer be removed from here. */
function noteLeftBehind(
  context: IHookFunctions,
  { id, workflowId, url, agency }: Endpoint,
  place: Omit<DesiredEndpoint, 'eventTypes'>,
): void {
  if (workflowId !== place.workflowId) return;
  context.logger.warn(
    `The webhook endpoint ${id} of ${nameOf(context)} was made for ${url} at ${agency}. The node's address or agency is another one now, so the endpoint is still there. ${wayToRemove(agency)}`,
  );
}

function wayToRemove(agency: string): string {
  return `Remove it with the action node's operation "Webhook Endpoint: Delete", this ID, and a credential for ${agency} with a key of the access that made it.`;
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
