import type { FunctionsBase, IHookFunctions } from 'n8n-workflow';
import { nameOf, type NodeContext } from '../../shared/node-identity';
import type { DesiredEndpoint, Endpoint } from './endpoint-requests';

type Logging = Pick<FunctionsBase, 'logger'>;

/** Says which endpoint is the node's: nothing else shows its ID, which testing it and its deliveries ask for. */
export function noteMade(context: NodeContext & Logging, { id, agency }: Endpoint, lasting: boolean): void {
  const purpose = lasting ? '' : ' for a test';
  context.logger.info(`${nameOf(context)} has the webhook endpoint ${id} at ${agency}${purpose}.`);
}

/** The agency says the same of an endpoint that is gone and of one that belongs to another access. */
export function noteUnknown(context: NodeContext & Logging, { id, agency }: Endpoint, so: string): void {
  context.logger.warn(
    `The agency at ${agency} has no webhook endpoint ${id} of ${nameOf(context)}, so ${so}. If the credential now has a key of another access, the endpoint still exists. ${wayToRemove(agency)}`,
  );
}

/** An endpoint that came with a copied workflow is that workflow's; another one can no longer be removed from here. */
export function noteLeftBehind(
  context: IHookFunctions,
  { id, workflowId, url, agency }: Endpoint,
  place: Omit<DesiredEndpoint, 'eventTypes'>,
): void {
  if (workflowId !== place.workflowId) return;
  context.logger.warn(
    `The webhook endpoint ${id} of ${nameOf(context)} was created for ${url} at ${agency}. The address or agency of the node has changed since then, so the endpoint still exists. ${wayToRemove(agency)}`,
  );
}

function wayToRemove(agency: string): string {
  return `Remove it with the action node's operation "Webhook Endpoint: Delete", this ID, and a credential for ${agency} with a key of the access that created it.`;
}
