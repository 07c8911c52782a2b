import type { ITriggerFunctions } from 'n8n-workflow';
import type { AgencyClient } from '../../shared/api/client';
import type { EventFilter } from '../../shared/events/filter';
import { nameOf, type NodeContext } from '../../shared/node-identity';
import { memoryOf } from '../state/memory';
import { cannotSave, save } from '../state/saving';
import { newestRegistration } from '../state/static-data';
import { endpointTypes, placeOf } from './desired-endpoint';
import { noteMade, noteUnknown } from './endpoint-log';
import { adjustEndpoint, type Endpoint, isOwn, makeEndpoint, removeEndpoint } from './endpoint-requests';

/**
 * Makes sure of the endpoint while the workflow is running: one that was removed is created anew, one that was paused
 * or changed is put right. The secret of a new one is known to this process only, until the agency's test call has
 * n8n save it. Where another process takes the calls, that is not possible, and the next start heals it; the same holds
 * for a while when the agency cannot reach n8n, which looks alike.
 *
 * @returns the endpoint; `undefined` when there can be none before the next start or publication
 * @throws AgencyError
 */
export async function healEndpoint(
  context: ITriggerFunctions,
  client: AgencyClient,
  filter: EventFilter,
): Promise<Endpoint | undefined> {
  const memory = memoryOf(context);
  const { endpoint, generation } = newestRegistration(context);
  const url = memory.desired?.url ?? endpoint?.url;
  if (url === undefined) return undefined;
  const desired = { ...placeOf(context, client, url), eventTypes: endpointTypes(filter) };
  const isKept = endpoint !== undefined && isOwn(endpoint, desired);
  if (isKept && (await adjustEndpoint(client, endpoint.id, desired))) {
    memory.isMissing = false;
    return endpoint;
  }
  if (isBeingRemoved(context)) return undefined;
  const isFirstTry = memory.isMissing !== true;
  memory.isMissing = true;
  if (!cannotSave(context)) {
    if (isKept && isFirstTry) noteUnknown(context, endpoint, 'a new one is created');
    const made = await makeEndpoint(
      client,
      endpoint === undefined ? generation : generation + 1,
      desired,
      true,
    );
    memory.made = made;
    noteMade(context, made.endpoint, true);
    const [saving] = await Promise.allSettled([!isBeingRemoved(context) && save(context, made.endpoint)]);
    const isSaved = saving.status === 'fulfilled' && saving.value;
    // Where this process takes the calls, one of the next has it saved.
    if (!isBeingRemoved(context) && (isSaved || memory.takesCalls === true)) return made.endpoint;
    memory.made = undefined;
    await removeEndpoint(client, made.endpoint.id);
    if (saving.status === 'rejected') throw saving.reason;
  }
  if (isFirstTry && !isBeingRemoved(context)) {
    context.logger.warn(
      `${nameOf(context)} has no webhook endpoint, because calls do not arrive in this n8n process: the agency cannot reach n8n, or another process receives them. Its events come from the event feed. The node tries to create an endpoint again every hour, when n8n starts, and when the workflow is published.`,
    );
  }
  return undefined;
}

/** Whether the workflow has been unpublished while something was going on. */
function isBeingRemoved(context: NodeContext): boolean {
  return memoryOf(context).isRemoved === true;
}
