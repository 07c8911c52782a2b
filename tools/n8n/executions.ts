import { parse } from 'flatted';
import { Halt } from './processes/halt';
import { type Patience, waitFor } from './processes/process';
import type { Session } from './session';

/** One item between two nodes. */
export interface Item {
  json: Record<string, unknown>;
  binary?: Record<string, { fileName?: string; mimeType: string; id?: string; data: string }>;
  pairedItem?: unknown;
}

/** One run of a node: the items of each output, or why it gave none. Times are in milliseconds. */
export interface NodeRun {
  startTime: number;
  executionTime: number;
  outputs: Item[][];
  error?: { message: string; description?: string | null };
}

/** A row of n8n's list of executions. Times are ISO 8601. */
export interface ExecutionSummary {
  id: string;
  workflowId: string;
  status: string;
  mode: string;
  startedAt: string;
  stoppedAt: string | null;
}

/** An execution with what its nodes gave, so far if it waits. */
export interface Execution extends ExecutionSummary {
  /** Why the execution as a whole stopped. */
  error?: string;
  /** The runs of a node, none if it was not reached. */
  runs(node: string): NodeRun[];
  /** The items of one output of all runs of a node. */
  items(node: string, output?: number): Item[];
}

interface RunData {
  /** While the execution is put away. */
  waitTill?: string | null;
  resultData: {
    error?: { message: string };
    runData: Record<
      string,
      (Pick<NodeRun, 'startTime' | 'executionTime' | 'error'> & { data?: { main?: (Item[] | null)[] } })[]
    >;
  };
}

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** Runs a workflow from one of its triggers, as "Execute workflow" does, and gives the execution's id. */
export async function runWorkflow(session: Session, workflowId: string, trigger: string): Promise<string> {
  const { executionId } = await startByHand<{ executionId: string }>(session, workflowId, trigger);
  return executionId;
}

/** Starts to listen for one test event, as the trigger's panel does; n8n has registered the trigger when it resolves. */
export async function listenForTestEvent(
  session: Session,
  workflowId: string,
  trigger: string,
): Promise<void> {
  const answer = await startByHand<{ waitingForWebhook?: boolean }>(session, workflowId, trigger);
  if (!answer.waitingForWebhook) throw new Halt('n8n does not listen for a test event.');
}

async function startByHand<T>(session: Session, workflowId: string, trigger: string): Promise<T> {
  const path = `/rest/workflows/${encodeURIComponent(workflowId)}`;
  const start = { triggerToStartFrom: { name: trigger } };
  const body =
    session.major === 1 ? { ...start, workflowData: await session.call<object>('GET', path) } : start;
  return session.call('POST', `${path}/run`, body);
}

/** Runs an ended execution again, as "Retry" does, and gives the id of the new execution. */
export async function retryExecution(session: Session, id: string): Promise<string> {
  const path = `/rest/executions/${encodeURIComponent(id)}/retry`;
  const { id: retried } = await session.call<{ id: string }>('POST', path, { loadWorkflow: false });
  return retried;
}

/** Waits until an execution has ended, well or not, and reads it. */
export const finishedExecution = (session: Session, id: string, patience: Patience): Promise<Execution> =>
  waitFor(`execution ${id} to end`, () => readExecution(session, id), patience);

/** A finished execution; undefined while it runs, and while its data is not saved yet. */
export const readExecution = (session: Session, id: string): Promise<Execution | undefined> =>
  readWhen((status) => !UNFINISHED.includes(status), session, id);

/** An execution that n8n has put away until later; undefined while it runs, and when it has ended. */
export const readWaiting = (session: Session, id: string): Promise<Execution | undefined> =>
  readWhen((status) => status === 'waiting', session, id);

async function readWhen(
  isWanted: (status: string) => boolean,
  session: Session,
  id: string,
): Promise<Execution | undefined> {
  const found = await session.call<ExecutionSummary & { data: string }>(
    'GET',
    `/rest/executions/${encodeURIComponent(id)}`,
  );
  if (!isWanted(found.status)) return undefined;
  // 1.x writes the status before the data, which are then still empty, or those of a wait before.
  const { resultData, waitTill } = (parse(found.data) ?? {}) as Partial<RunData>;
  if (!resultData || (found.status === 'success' && !Object.keys(resultData.runData).length))
    return undefined;
  if (waitTill && ['success', 'error'].includes(found.status)) return undefined;
  const runs = (node: string): NodeRun[] =>
    (resultData.runData[node] ?? []).map(({ startTime, executionTime, data, error }) => ({
      startTime,
      executionTime,
      outputs: (data?.main ?? []).map((items) => items ?? []),
      error,
    }));
  return {
    ...found,
    error: resultData.error?.message,
    runs,
    items: (node, output = 0) => runs(node).flatMap(({ outputs }) => outputs[output] ?? []),
  };
}

/** The newest executions of a workflow, at most 100. */
export async function listExecutions(session: Session, workflowId: string): Promise<ExecutionSummary[]> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  const { results } = await session.call<{ results: ExecutionSummary[] }>(
    'GET',
    `/rest/executions?filter=${filter}&limit=100`,
  );
  return results;
}
