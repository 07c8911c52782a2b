import { deepEqual, equal } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credential } from '../../../../tools/n8n/credentials';
import { listExecutions, readExecution } from '../../../../tools/n8n/executions';
import { waitFor } from '../../../../tools/n8n/processes/process';
import { activate, deactivate, importWorkflow } from '../../../../tools/n8n/workflows';
import { causeEvent } from '../../support/agency';
import type { OpenStage } from '../../support/stages';
import { NEXT, pollingWorkflow } from '../../support/workflows';

/** The Feed Trigger polls every minute, and at once when n8n starts or the workflow is published. */
export async function feedTrigger(stage: OpenStage, credential: Credential): Promise<void> {
  const { agency, session } = stage;
  const { id } = await importWorkflow(session, pollingWorkflow(credential));
  // The node knows the agency's time to the second, and runs what happened in the second of its publication.
  await sleep(1_000);
  deepEqual(await activate(session, id), { active: true, messages: [] });
  await causeEvent(agency);
  await ran(stage, id, 1);

  await causeEvent(agency);
  await stage.restart('kill');
  await ran(stage, id, 2);

  await deactivate(session, id);
  await causeEvent(agency);
  deepEqual(await activate(session, id), { active: true, messages: [] });
  const events = await ran(stage, id, 3);
  equal(new Set(events).size, 3);
  await deactivate(session, id);
}

/** Waits until exactly so many events have run, and gives their IDs. */
async function ran({ session, n8n }: OpenStage, workflow: string, count: number): Promise<string[]> {
  let found: string[] = [];
  return waitFor(
    `${count} events of the feed to run`,
    async () => {
      const executions = await Promise.all(
        (await listExecutions(session, workflow)).map(({ id }) => readExecution(session, id)),
      );
      found = executions.flatMap((execution) =>
        (execution?.items(NEXT) ?? []).map(({ json }) => String(json['id'])),
      );
      return found.length === count ? found : undefined;
    },
    { seconds: 180, evidence: () => `There ran: ${found.join(', ') || 'none'}.\n${n8n().tail()}` },
  );
}
