import type { FunctionsBase } from 'n8n-workflow';

/** How n8n's log names a node: with its workflow and the workflow's ID. */
export function nameOf(context: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>): string {
  const { id, name } = context.getWorkflow();
  return `node "${context.getNode().name}" of workflow "${name}" (${id})`;
}
