import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';
import { agencyClient } from '../shared/api/connect';
import type { AgencyClient } from '../shared/api/client';
import { AgencyError } from '../shared/api/errors';
import { InputError } from '../shared/input-error';
import {
  adjustEndpoint,
  type Endpoint,
  isOwn,
  makeEndpoint,
  type Plan,
  readRegistration,
  removeEndpoint,
} from './registration';
import { checkNode, checkUrl, checkWanted, wantedEvents } from './settings';

/** What n8n calls with a node's context, in `webhookMethods`. */
type Hook = (context: IHookFunctions) => Promise<boolean>;

/** Whether the node's endpoint is at the agency; it is then set as the node is. */
export const endpointExists: Hook = toldWhole(async (context) => {
  const { client, plan } = await prepared(context);
  const { endpoint } = readRegistration(context.getWorkflowStaticData('node'));
  if (endpoint === undefined) return false;
  if (!isOwn(endpoint, plan)) {
    noteLeftBehind(context, endpoint, plan);
    return false;
  }
  if (await adjustEndpoint(client, endpoint.id, plan)) return true;
  context.logger.warn(
    `The agency does not know the webhook endpoint ${endpoint.id} of node "${context.getNode().name}", so a new one is made. If the credential has a key of another access now, remove the old endpoint with the old key or in the application of the agency.`,
  );
  return false;
});

/** Makes the node's endpoint. The only hook that puts an endpoint into the static data. */
export const createEndpoint: Hook = toldWhole(async (context) => {
  const { client, plan } = await prepared(context);
  const data = context.getWorkflowStaticData('node');
  const lasting = context.getActivationMode() !== 'manual';
  const { endpoint, generation } = await makeEndpoint(client, readRegistration(data), plan, lasting);
  Object.assign(data, { endpoint, generation });
  return true;
});

/** Removes the node's endpoint. What it throws makes n8n try again, so the endpoint is forgotten only when it is gone. */
export const deleteEndpoint: Hook = toldWhole(async (context) => {
  const data = context.getWorkflowStaticData('node');
  const { endpoint, generation } = readRegistration(data);
  if (endpoint === undefined) return true;
  const client = await agencyClient(context);
  const place = placeOf(context, client);
  if (isOwn(endpoint, place)) await removeEndpoint(client, endpoint.id);
  else noteLeftBehind(context, endpoint, place);
  delete data.endpoint;
  data.generation = generation + 1;
  return true;
});

/** Everything that a person must mend comes first, so that nothing is asked of the agency before it is mended. */
async function prepared(context: IHookFunctions): Promise<{ client: AgencyClient; plan: Plan }> {
  checkNode(context.getNode());
  const wanted = wantedEvents(context);
  checkWanted(wanted);
  const client = await agencyClient(context);
  const place = placeOf(context, client);
  checkUrl(place.url, place.agency);
  const eventTypes = wanted.types === 'all' ? ['*'] : [...wanted.types];
  return { client, plan: { ...place, eventTypes } };
}

function placeOf(context: IHookFunctions, { origin }: AgencyClient): Omit<Plan, 'eventTypes'> {
  return {
    workflowId: context.getWorkflow().id ?? '',
    nodeId: context.getNode().id,
    url: context.getNodeWebhookUrl('default') ?? '',
    agency: origin,
  };
}

/** An endpoint that came with a copied workflow is that workflow's; another one can no longer be removed from here. */
function noteLeftBehind(
  context: IHookFunctions,
  { id, workflowId, url, agency }: Endpoint,
  place: Omit<Plan, 'eventTypes'>,
): void {
  if (workflowId !== place.workflowId) return;
  context.logger.warn(
    `The webhook endpoint ${id} of node "${context.getNode().name}" was made for ${url} at ${agency}. The node's address or agency is another one now, so it stays there: remove it in the application of that agency.`,
  );
}

/** A hook whose errors say everything in their message, since n8n shows nothing else of them at activation. */
function toldWhole(hook: Hook): Hook {
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
