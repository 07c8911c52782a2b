import { parse, stringify } from 'flatted';
import type { IRun, IRunExecutionData } from 'n8n-workflow';

/**
 * The state from which n8n's "Retry execution" goes on: that of an execution which stopped at a node, as the database
 * gives it back, without the run that did not succeed.
 */
export function retriedFrom({ data }: IRun): IRunExecutionData {
  const stored: IRunExecutionData = parse(stringify(data));
  const { resultData } = stored;
  const runs = resultData.runData[resultData.lastNodeExecuted ?? ''] ?? [];
  if (runs.at(-1)?.error === undefined)
    throw new Error('Only an execution that stopped at a node is retried.');
  runs.pop();
  delete resultData.error;
  return stored;
}
