import type { IPollFunctions } from 'n8n-workflow';
import { nodeKey, staticDataKey } from '../shared/node-identity';
import { isRecord } from '../shared/values/json';
import { type FeedPosition, readPosition } from './feed-position';

const NODE = 'accountingAgencyFeedTrigger';

/** Positions after polls without events, which n8n does not save: the next publication would go back behind them. */
const unsaved = new Map<string, FeedPosition>();

/**
 * Reads the position of a node. It stands in the workflow's data, under the node's ID, since n8n keeps a node's own data
 * under a name that may change; and in the node's own data, since with the durable poll cursors of n8n 2, a poll without
 * events saves nothing else. The newest one counts.
 */
export function keptPosition(context: IPollFunctions): FeedPosition | undefined {
  const global = readPosition(context.getWorkflowStaticData('global')[staticDataKey(NODE, context)]);
  const own = readPosition(ownData(context)?.position);
  return newer(newer(global, own), unsaved.get(nodeKey(context)));
}

function newer(one: FeedPosition | undefined, other: FeedPosition | undefined): FeedPosition | undefined {
  return (other?.turns ?? 0) > (one?.turns ?? 0) ? other : one;
}

/** Notes the position; n8n saves it. Set anew, since n8n does not see a change inside. */
export function keepPosition(context: IPollFunctions, position: FeedPosition): void {
  context.getWorkflowStaticData('global')[staticDataKey(NODE, context)] = position;
  Object.assign(ownData(context) ?? {}, { position });
}

/** Notes the position after a poll without events. */
export function keepUnsaved(context: IPollFunctions, position: FeedPosition): void {
  unsaved.set(nodeKey(context), position);
}

/** Called when another process may have polled since. */
export function forgetUnsaved(context: IPollFunctions): void {
  unsaved.delete(nodeKey(context));
}

/** Damaged data of a node can hold no fields. */
function ownData(context: IPollFunctions): Record<string, unknown> | undefined {
  const data: unknown = context.getWorkflowStaticData('node');
  return isRecord(data) ? data : undefined;
}
