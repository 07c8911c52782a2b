import { type NodeContext, nodeKey } from '../../shared/node-identity';
import type { DesiredEndpoint, MadeEndpoint } from '../endpoint/endpoint-requests';

/** How far a node has compared the event feed with its deliveries. */
export interface FeedProgress {
  workflowId: string;
  agency: string;
  /** The first publication of the node, by the agency's clock: nothing older runs. */
  since: string;
  /** When the last event before the position occurred. */
  passed?: string;
  /** The cursor after which to read on; `undefined` begins with the oldest event. */
  position?: string;
}

/**
 * What this process knows of a node beyond what n8n has saved. A running `trigger()` must not write static data: n8n
 * would save its copy of the whole workflow's data, as it was at the start, and so put back what other nodes have
 * saved since. It is noted here instead, and saved by the next hook, or by the next call that starts no execution,
 * whose data are read fresh.
 */
export interface NodeMemory {
  /** As the last hook wanted it. */
  desired?: DesiredEndpoint;
  /** The workflow is being unpublished, so nothing may be created any more. */
  isRemoved?: boolean;
  /** The last publication was refused, so that n8n 2 shows the workflow as not published although it calls `trigger()`. */
  isRefused?: boolean;
  /** The node's endpoint, as this process last registered or found it. */
  made?: MadeEndpoint;
  /** The last look found no endpoint, which was said. */
  isMissing?: boolean;
  progress?: FeedProgress;
  /** Whether this process knows more than was saved last, and when that was. */
  isUnsaved?: boolean;
  savedAt?: number;
  /** The agency was asked for a call whose only purpose is to save this. */
  isSaving?: boolean;
  /** When the last such call did not arrive in this process: for a while, none is asked for. */
  saveFailedAt?: number;
  /** Calls have arrived in this process, so that a missing one is no reason to give up. */
  takesCalls?: boolean;
  /** Whether executions run in this process, as far as it is known: in queue mode, those of calls do not. */
  executes?: boolean;
}

const memories = new Map<string, NodeMemory>();

/** What this process knows of a node. */
export function memoryOf(context: NodeContext): NodeMemory {
  const key = nodeKey(context);
  const memory = memories.get(key) ?? {};
  memories.set(key, memory);
  return memory;
}
