import { createHash, randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * What stays the same when n8n runs the same work again, and differs for any other work: the time at which the
 * execution was established (n8n 2.x saves it), else an id kept in the node's context; with workflow, node and run.
 */
export type Seed = ReadonlyArray<string | number | undefined>;

/** The seed of one run of a node. Repeats for "Retry On Fail" and for "Retry execution". */
export function seedOf(node: IExecuteFunctions): Seed {
  const place = [node.getWorkflow().id, node.getNode().id];
  const run = node.getWorkflowDataProxy(0).$runIndex;
  const moment = establishedAt(node);
  if (moment === undefined) return [keptSeed(node), ...place, run];
  return [moment, ...place, run, mark(node, [moment, ...place].join())];
}

/** n8n 1.x does not have the execution's context. */
function establishedAt(node: Partial<Pick<IExecuteFunctions, 'getExecutionContext'>>): number | undefined {
  return node.getExecutionContext?.()?.establishedAt;
}

function keptSeed(node: IExecuteFunctions): string {
  const context = node.getContext('node');
  if (typeof context.seed !== 'string') context.seed = node.getExecutionId() || randomUUID();
  return String(context.seed);
}

/** How many moments are remembered; executions that began together reach the node at about the same time. */
const MOMENTS = 10_000;

/** The execution that was the first to reach a node, by the moment at which it was established. */
const firstComers = new Map<string, string>();

/**
 * What tells an execution from another one that was established in the same millisecond, and whose items may be alike;
 * `undefined` for the first of them. Kept in the node's context for retries.
 */
function mark(node: IExecuteFunctions, moment: string): string | undefined {
  const context = node.getContext('node');
  if (typeof context.mark === 'string') return context.mark;
  // A retry has an execution id of its own.
  if (node.getMode() === 'retry') return undefined;
  const id = node.getExecutionId();
  const first = firstComers.get(moment) ?? id;
  firstComers.set(moment, first);
  const [oldest] = firstComers.keys();
  if (firstComers.size > MOMENTS && oldest !== undefined) firstComers.delete(oldest);
  if (first === id) return undefined;
  context.mark = id;
  return id;
}

/** A short fingerprint of values that JSON can hold. */
export function fingerprint(...values: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
