import { type FunctionsBase, type IDataObject, type IHookFunctions, NodeOperationError } from 'n8n-workflow';
import { agencyClient } from '../shared/api/connect';
import type { AgencyClient } from '../shared/api/client';
import { AgencyError } from '../shared/api/errors';
import { EVENT_TYPES } from '../shared/events/event-types';
import { checkFilter, eventFilter } from '../shared/events/filter';
import { ALL_EVENTS } from '../shared/events/parameters';
import { InputError } from '../shared/input-error';
import { nameOf } from '../shared/node-name';
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
import { checkNode, checkUrl } from './parameters';

/** What a node keeps in n8n's static data. */
export interface Registration {
  endpoint?: Endpoint;
  /** How many endpoints the node had before: a part of the idempotency key of the next one. */
  generation: number;
}

/** What n8n calls with a node's context, in `webhookMethods`. */
type Hook = (context: IHookFunctions) => Promise<boolean>;

/** Reads what a node keeps. It can be imported, so it may be of another workflow, or damaged: that counts as nothing. */
export function readRegistration(context: StaticDataContext): Registration {
  const { endpoint, generation } = nodeData(context) ?? fallbackData(context);
  return {
    ...(isEndpoint(endpoint) && { endpoint }),
    generation: typeof generation === 'number' && Number.isSafeInteger(generation) ? generation : 0,
  };
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
  Object.assign(data, registration);
}

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

/** Whether the node's endpoint is at the agency; it is then set as the node is. */
export const endpointExists: Hook = withFullMessage(async (context) => {
  const { client, desired } = await prepared(context);
  const { endpoint, generation } = readRegistration(context);
  if (endpoint === undefined) return false;
  if (!isOwn(endpoint, desired)) {
    noteLeftBehind(context, endpoint, desired);
    return false;
  }
  if (await adjustEndpoint(client, endpoint.id, desired)) return true;
  noteUnknown(context, endpoint, 'a new one is made');
  writeRegistration(context, { generation: generation + 1 });
  return false;
});

/** Makes the node's endpoint. The only hook that puts an endpoint into the static data. */
export const createEndpoint: Hook = withFullMessage(async (context) => {
  const { client, desired } = await prepared(context);
  const lasting = context.getActivationMode() !== 'manual';
  const { generation } = readRegistration(context);
  const made = await makeEndpoint(client, generation, desired, lasting);
  writeRegistration(context, made);
  noteMade(context, made.endpoint, lasting);
  return true;
});

/** Removes the node's endpoint. What it throws makes n8n try again, so the endpoint is forgotten only when it is gone. */
export const deleteEndpoint: Hook = withFullMessage(async (context) => {
  const { endpoint, generation } = readRegistration(context);
  if (endpoint === undefined) return true;
  const client = await agencyClient(context);
  const place = placeOf(context, client);
  if (!isOwn(endpoint, place)) noteLeftBehind(context, endpoint, place);
  else if (!(await removeEndpoint(client, endpoint.id))) noteUnknown(context, endpoint, 'none is removed');
  writeRegistration(context, { generation: generation + 1 });
  return true;
});

/** Everything that a person must mend comes first, so that nothing is asked of the agency before it is mended. */
async function prepared(
  context: IHookFunctions,
): Promise<{ client: AgencyClient; desired: DesiredEndpoint }> {
  checkNode(context.getNode());
  const filter = eventFilter(context);
  checkFilter(filter);
  const client = await agencyClient(context);
  const place = placeOf(context, client);
  checkUrl(place.url, place.agency);
  // A set: neither order nor repeats mean anything.
  const types = [...new Set(filter.types)].sort();
  const eventTypes: DesiredEndpoint['eventTypes'] = types.includes(ALL_EVENTS)
    ? ['*']
    : types.map((type) => choice('Events', type, EVENT_TYPES));
  return { client, desired: { ...place, eventTypes } };
}

function placeOf(context: IHookFunctions, { origin }: AgencyClient): Omit<DesiredEndpoint, 'eventTypes'> {
  return {
    workflowId: context.getWorkflow().id ?? '',
    nodeId: context.getNode().id,
    url: context.getNodeWebhookUrl('default') ?? '',
    agency: origin,
  };
}

/** Says which endpoint is the node's: nothing else shows its ID, which testing it and its deliveries ask for. */
function noteMade(context: IHookFunctions, { id, agency }: Endpoint, lasting: boolean): void {
  const purpose = lasting ? '' : ' for a test';
  context.logger.info(`${nameOf(context)} has the webhook endpoint ${id} at ${agency}${purpose}.`);
}

/** The agency says the same of an endpoint that is gone and of one that belongs to another access. */
function noteUnknown(context: IHookFunctions, { id, agency }: Endpoint, so: string): void {
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
      throw new NodeOperationError(context.getNode(), wholeMessage(error));
    }
  };
}

function wholeMessage(error: unknown): Error | string {
  if (!(error instanceof AgencyError || error instanceof InputError)) {
    return error instanceof Error ? error : String(error);
  }
  return `${error.message} ${error.description}`.replace(/\s+/g, ' ');
}
