import { equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Credential } from '../../../../tools/n8n/credentials';
import { type Execution, listExecutions, readExecution } from '../../../../tools/n8n/executions';
import { waitFor } from '../../../../tools/n8n/processes/process';
import { activate, deactivate, importWorkflow } from '../../../../tools/n8n/workflows';
import { HostClock } from '../../../support/time/host-clock';
import { control, planFaults } from '../../support/agency';
import type { OpenStage } from '../../support/stages';
import { listeningWorkflow } from '../../support/workflows';

const ERROR_TRIGGER = 'When a workflow fails';
const MORE_THAN_AN_HOUR_SECONDS = 3_660;

/**
 * The agency refuses the key when n8n starts, and n8n's clock goes on by an hour: one failed execution says why, and the
 * workflow's error workflow runs.
 */
export async function lastingOutage(stage: OpenStage, credential: Credential): Promise<void> {
  const { agency, session } = stage;
  const errorWorkflow = await importWorkflow(session, {
    name: 'Tell somebody',
    nodes: [
      {
        id: randomUUID(),
        name: ERROR_TRIGGER,
        type: 'n8n-nodes-base.errorTrigger',
        typeVersion: 1,
        position: [0, 0],
        parameters: {},
      },
    ],
    connections: {},
  });
  await activate(session, errorWorkflow.id);
  const { id } = await importWorkflow(session, {
    ...listeningWorkflow(credential),
    settings: { errorWorkflow: errorWorkflow.id },
  });
  equal((await activate(session, id)).active, true);

  const clock = new HostClock(join(stage.userFolder, 'clock'));
  await clock.setAhead(0);
  await control(agency, 'faults', [
    { path: '/**', times: 10_000, fault: 'status', status: 401, code: 'INVALID_API_KEY' },
  ]);
  await stage.restart('stop', clock.environment);
  await waitFor(
    'the outage to begin',
    async () => stage.n8n().tail().includes('cannot compare its deliveries with the event feed') || undefined,
    { seconds: 120, evidence: () => stage.n8n().tail() },
  );
  await clock.setAhead(MORE_THAN_AN_HOUR_SECONDS);
  const failed = await newestExecution(stage, id, 'error');
  match(
    String(failed.error),
    /comparison with the event feed has failed for an hour\. .*does not accept the API key/,
  );
  const told = await newestExecution(stage, errorWorkflow.id, 'success');
  match(JSON.stringify(told.items(ERROR_TRIGGER)), /comparison with the event feed has failed for an hour/);
  await planFaults(agency, []);
  await clock.setAhead(0);
  await deactivate(session, id);
}

/** The newest execution with a status, once there is one. */
async function newestExecution(
  { session, n8n }: OpenStage,
  workflow: string,
  status: string,
): Promise<Execution> {
  return waitFor(
    `an execution with the status ${status}`,
    async () => {
      const found = (await listExecutions(session, workflow)).find((one) => one.status === status);
      return found && (await readExecution(session, found.id));
    },
    { seconds: 240, evidence: () => n8n().tail() },
  );
}
