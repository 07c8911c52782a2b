import { deepEqual } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ExecutionSummary, listExecutions, readExecution } from '../../../tools/n8n/executions';
import { waitFor } from '../../../tools/n8n/processes/process';
import type { Stage } from '../../../tools/n8n/stage';
import { causeEvent } from './agency';
import { NEXT } from './workflows';

const ARRIVAL_SECONDS = 120;
const SETTLING_MS = 3_000;

/** Causes an event, and waits until an execution of a listening workflow has run the next node with it. */
export async function eventArrives(stage: Stage, workflow: string): Promise<ExecutionSummary> {
  const before = await started(stage, workflow);
  await causeEvent(stage.agency);
  return waitFor(
    'an event to run the next node',
    async () => {
      for (const summary of (await started(stage, workflow)).values()) {
        const execution = before.has(summary.id) ? undefined : await readExecution(stage.session, summary.id);
        if (execution && execution.items(NEXT).length === 1) return summary;
      }
      return undefined;
    },
    { seconds: ARRIVAL_SECONDS, evidence: () => `${calls(stage)}\n${stage.n8n().tail()}` },
  );
}

/** The newest calls to webhook addresses, with n8n's answers. */
function calls({ passages }: Stage): string {
  const webhooks = passages.filter(({ path }) => path.startsWith('/webhook'));
  return webhooks
    .slice(-5)
    .map(({ method, path, status }) => `${method} ${path}: ${status}`)
    .join('\n');
}

/** Causes an event, and throws if it starts an execution of a workflow within three seconds. */
export async function noEventArrives(stage: Stage, workflow: string): Promise<void> {
  const before = await started(stage, workflow);
  await causeEvent(stage.agency);
  await sleep(SETTLING_MS);
  deepEqual([...(await started(stage, workflow)).keys()], [...before.keys()]);
}

/** The newest executions that the agency started, none by a test event. */
async function started({ session }: Stage, workflow: string): Promise<Map<string, ExecutionSummary>> {
  const executions = await listExecutions(session, workflow);
  return new Map(executions.filter(({ mode }) => mode === 'webhook').map((each) => [each.id, each]));
}
