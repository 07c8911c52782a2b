import type { AgencyClient } from '../../shared/api/client';
import { EVENT_TYPES } from '../../shared/events/event-types';
import type { EventFilter } from '../../shared/events/filter';
import { ALL_EVENTS } from '../../shared/events/parameters';
import type { NodeContext } from '../../shared/node-identity';
import { choice } from '../../shared/values/text';
import type { DesiredEndpoint } from './endpoint-requests';

/** The types that an endpoint is set to. A set: neither order nor repeats mean anything. */
export function endpointTypes({ types }: EventFilter): DesiredEndpoint['eventTypes'] {
  if (types.includes(ALL_EVENTS)) return ['*'];
  return [...new Set(types)].sort().map((type) => choice('Events', type, EVENT_TYPES));
}

/**
 * Where a node's endpoint belongs.
 *
 * @param url the address that n8n gives the node
 */
export function placeOf(
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
