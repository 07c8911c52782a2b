import type { IPollFunctions } from 'n8n-workflow';
import { nodeKey, staticDataKey } from '../shared/node-identity';
import { isRecord } from '../shared/values/json';
import { type FeedPosition, readPosition } from './feed-position';

const NODE = 'accountingAgencyFeedTrigger';

/**
 * Positions after polls without events, which n8n does not save, and what it had saved before. The next publication would
 * go back behind them.
 */
const unsaved = new Map<string, { position: FeedPosition; saved: string }>();

/**
 * Reads the position of a node. It stands in the workflow's data, under the node's ID, since n8n keeps a node's own data
 * under a name that may change; and in the node's own data, since with the durable poll cursors of n8n 2, a poll without
 * events saves nothing else. The newer one counts, and one that was not saved before either, unless another process has
 * saved one since.
 */
export function keptPosition(context: IPollFunctions): FeedPosition | undefined {
  const saved = savedPosition(context);
  const later = unsaved.get(nodeKey(context));
  return later?.saved === markOf(saved) ? later.position : saved;
}

function savedPosition(context: IPollFunctions): FeedPosition | undefined {
  const global = readPosition(context.getWorkflowStaticData('global')[staticDataKey(NODE, context)]);
  const own = readPosition(ownData(context)?.position);
  return turnsOf(own) > turnsOf(global) ? own : global;
}

const turnsOf = (position: FeedPosition | undefined): number => position?.turns ?? 0;
const markOf = (position: FeedPosition | undefined): string => JSON.stringify(position ?? null);

/**
 * Notes the position. Set anew, since n8n does not see a change inside.
 *
 * @param willSave whether n8n saves it: with events, and at the end of an activation
 */
export function keepPosition(context: IPollFunctions, position: FeedPosition, willSave: boolean): void {
  const key = nodeKey(context);
  const before = markOf(savedPosition(context));
  const later = unsaved.get(key);
  context.getWorkflowStaticData('global')[staticDataKey(NODE, context)] = position;
  Object.assign(ownData(context) ?? {}, { position });
  // In the data of this publication, what was not saved stands as well.
  const saved = later !== undefined && markOf(readPosition(later.position)) === before ? later.saved : before;
  if (willSave) unsaved.delete(key);
  else unsaved.set(key, { position, saved });
}

/** Damaged data of a node can hold no fields. */
function ownData(context: IPollFunctions): Record<string, unknown> | undefined {
  const data: unknown = context.getWorkflowStaticData('node');
  return isRecord(data) ? data : undefined;
}
