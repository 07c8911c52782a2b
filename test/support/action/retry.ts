import { parse, stringify } from 'flatted';
import type { INodeParameters, IRun, IRunExecutionData } from 'n8n-workflow';

/**
 * The state from which n8n's "Retry execution" goes on: that of an execution which stopped at a node, as the database
 * gives it back, without the run that did not succeed.
 *
 * @param parameters of that node, when the workflow was changed meanwhile and is retried as it is now
 */
export function retriedFrom({ data }: IRun, parameters?: INodeParameters): IRunExecutionData {
  const stored: IRunExecutionData = parse(stringify(data));
  const { resultData } = stored;
  const runs = resultData.runData[resultData.lastNodeExecuted ?? ''] ?? [];
  if (runs.at(-1)?.error === undefined)
    throw new Error('Only an execution that stopped at a node is retried.');
  runs.pop();
  delete resultData.error;
  for (const { node } of stored.executionData?.nodeExecutionStack ?? []) {
    // Fields that are not given have their defaults, which n8n fills in here, too.
    if (parameters !== undefined) node.parameters = { ...node.parameters, ...parameters };
  }
  return stored;
}
