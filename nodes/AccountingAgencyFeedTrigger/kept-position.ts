import type { IPollFunctions } from 'n8n-workflow';
import { staticDataKey } from '../shared/node-identity';
import { isRecord } from '../shared/values/json';
import { type FeedPosition, readPosition } from './feed-position';

const NODE = 'accountingAgencyFeedTrigger';

/**
 * Reads the position of a node. It stands in the workflow's data, under the node's ID, since n8n keeps a node's own data
 * under a name that may change; and in the node's own data, since with the durable poll cursors of n8n 2, a poll without
 * events saves nothing else. The newer one counts.
 */
export function keptPosition(context: IPollFunctions): FeedPosition | undefined {
  const global = readPosition(context.getWorkflowStaticData('global')[staticDataKey(NODE, context)]);
  const own = readPosition(ownData(context)?.position);
  return (own?.turns ?? 0) > (global?.turns ?? 0) ? own : global;
}

/** Notes the position; n8n saves it. Set anew, since n8n does not see a change inside. */
export function keepPosition(context: IPollFunctions, position: FeedPosition): void {
  context.getWorkflowStaticData('global')[staticDataKey(NODE, context)] = position;
  Object.assign(ownData(context) ?? {}, { position });
}

/** Damaged data of a node can hold no fields. */
function ownData(context: IPollFunctions): Record<string, unknown> | undefined {
  const data: unknown = context.getWorkflowStaticData('node');
  return isRecord(data) ? data : undefined;
}
