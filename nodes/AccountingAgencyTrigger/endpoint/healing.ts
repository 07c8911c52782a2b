import type { ITriggerFunctions } from 'n8n-workflow';
import type { AgencyClient } from '../../shared/api/client';
import { eventFilter } from '../../shared/events/filter';
import { nameOf, type NodeContext } from '../../shared/node-identity';
import { memoryOf } from '../state/memory';
import { save } from '../state/saving';
import { newestRegistration } from '../state/static-data';
import { endpointTypes, placeOf } from './desired-endpoint';
import { noteMade, noteUnknown } from './endpoint-log';
import { adjustEndpoint, type Endpoint, isOwn, makeEndpoint, removeEndpoint } from './endpoint-requests';

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
