import { finishedExecution, runWorkflow } from '../../../tools/n8n/executions';
import type { Session } from '../../../tools/n8n/session';
import { importWorkflow } from '../../../tools/n8n/workflows';

/** The name of the node that a person starts a chain at. */
export const START = 'Start';
const PATIENCE = { seconds: 300, everyMs: 500 };

/** A workflow that a person starts, with nodes one after the other. */
export interface HostChain {
  id: string;
  /** The nodes whose time is measured. */
  measured: string[];
}

/** What a run gave. */
export interface HostResult {
  items: Record<string, unknown>[];
  /** From the first measured node's start to the last one's end. */
  milliseconds: number;
}

/** A node of a chain; its id and place are added. */
interface ChainNode {
  name: string;
  type: string;
  typeVersion: number;
  parameters: Record<string, unknown>;
  credentials?: Record<string, { id: string; name: string }>;
}

/** Saves a chain of nodes in an n8n. */
export async function saveChain(
  session: Session,
  before: ChainNode[],
  measured: ChainNode[],
  settings: Record<string, unknown> = {},
): Promise<HostChain> {
  const start: ChainNode = {
    name: START,
    type: 'n8n-nodes-base.manualTrigger',
    typeVersion: 1,
    parameters: {},
  };
  const nodes = [start, ...before, ...measured];
  const { id } = await importWorkflow(session, {
    name: measured.map(({ name }) => name).join(', '),
    nodes: nodes.map((node, index) => ({ ...node, id: `node-${index}`, position: [index * 200, 0] })),
    connections: Object.fromEntries(
      nodes
        .slice(0, -1)
        .map(({ name }, index) => [
          name,
          { main: [[{ node: nodes[index + 1]?.name, type: 'main', index: 0 }]] },
        ]),
    ),
    settings: { executionOrder: 'v1', ...settings },
  });
  return { id, measured: measured.map(({ name }) => name) };
}

/** Runs a chain and reads how long its measured nodes took, by n8n's own account. */
export async function runHostChain(session: Session, { id, measured }: HostChain): Promise<HostResult> {
  const executionId = await runWorkflow(session, id, START);
  const execution = await finishedExecution(session, executionId, PATIENCE);
  if (execution.status !== 'success')
    throw new Error(`The run ended with ${execution.status}: ${execution.error}`);
  const [first, last] = [measured.at(0), measured.at(-1)].map((name) => execution.runs(name ?? '').at(-1));
  if (!first || !last) throw new Error('Not every node of the chain ran.');
  return {
    items: execution.items(measured.at(-1) ?? '').map(({ json }) => json),
    milliseconds: last.startTime + last.executionTime - first.startTime,
  };
}
