import type { FunctionsBase, INode } from 'n8n-workflow';

/** What tells a node from all others of this n8n. */
export type NodeContext = Pick<FunctionsBase, 'getNode' | 'getWorkflow'>;

/** The node, among all of this n8n, for what this process keeps of it. */
export function nodeKey(context: NodeContext): string {
  return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

/** How n8n's log names a node: with its workflow and the workflow's ID. */
export function nameOf(context: NodeContext): string {
  const { id, name } = context.getWorkflow();
  return `node "${context.getNode().name}" of workflow "${name}" (${id})`;
}

/** n8n names the variant of a node that AI agents use by this ending, and its own display condition looks at it. */
export function isTool({ type }: INode): boolean {
  return type.endsWith('Tool');
}

/**
 * Where a trigger keeps something in the workflow's static data: under the node's ID, since n8n keeps a node's own data
 * under its name, which may change.
 *
 * @param type name of the trigger
 */
export function staticDataKey(type: string, context: Pick<FunctionsBase, 'getNode'>): string {
  return `${type}:${context.getNode().id}`;
}
