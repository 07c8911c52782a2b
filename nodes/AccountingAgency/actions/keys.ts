import { createHash, randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * What stays the same when n8n runs the same work again, and differs for any other work: the time at which the
 * execution was established (n8n 2.x saves it), else an id kept in the node's context; with workflow, node and run.
 */
export type Seed = ReadonlyArray<string | number | undefined>;

/** The seed of one run of a node. Repeats for "Retry On Fail" and for "Retry execution". */
export function seedOf(node: IExecuteFunctions): Seed {
  const { id } = node.getWorkflow();
  const run = node.getWorkflowDataProxy(0).$runIndex;
  return [establishedAt(node) ?? keptSeed(node), id, node.getNode().id, run];
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

/** A short fingerprint of values that JSON can hold. */
export function fingerprint(...values: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
