import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Execution, listExecutions, readExecution } from '../../../../tools/n8n/executions';
import { waitFor } from '../../../../tools/n8n/processes/process';
import { activate, readWorkflow, saveWorkflow } from '../../../../tools/n8n/workflows';
import { keptEndpoints } from '../../support/agency';
import { isTaken } from '../../support/calls';
import type { OpenStage } from '../../support/stages';
import { NEXT, TRIGGER } from '../../support/workflows';

/**
 * Turns "Always Output Data" on in a published workflow, and gives it the same event twice, with a restart in between,
 * which lets the second one come as far as an execution.
 */
export async function alwaysOutput(stage: OpenStage, id: string): Promise<void> {
  const { session } = stage;
  equal(await set(stage, id, true), '');
  const event = `evt_${randomUUID()}`;
  const first = await executionOf(stage, id, event);
  equal(first.items(NEXT).length, 1);
  await stage.restart('stop');
  const repeat = await executionOf(stage, id, event);
  deepEqual([repeat.status, repeat.items(TRIGGER), repeat.runs(NEXT)], ['success', [], []]);
  const { nodes } = await readWorkflow(session, id);
  equal(nodes.find(({ name }) => name === TRIGGER)?.['alwaysOutputData'], true);
  equal(await set(stage, id, false), '');
}

/** Saves and publishes. Gives why it was refused, or nothing. */
async function set({ session }: OpenStage, id: string, alwaysOutputData: boolean): Promise<string> {
  const { nodes, connections } = await readWorkflow(session, id);
  const changed = nodes.map((node) => (node.name === TRIGGER ? { ...node, alwaysOutputData } : node));
  await saveWorkflow(session, id, { nodes: changed, connections });
  return (await activate(session, id)).messages.join(' ');
}

/** Sends an event, and gives the execution that it starts when that has ended. */
async function executionOf(stage: OpenStage, id: string, event: string): Promise<Execution> {
  const { session } = stage;
  const before = new Set((await listExecutions(session, id)).map((each) => each.id));
  const [endpoint] = keptEndpoints(stage.dataFile);
  ok(endpoint, 'The agency has no endpoint.');
  const url = `${stage.n8n().url}${new URL(endpoint.url).pathname}`;
  ok(await isTaken({ url, secret: endpoint.secret, id: event, type: 'task.completed' }), 'It is not taken.');
  return waitFor(
    'the execution of an event',
    async () => {
      const started = (await listExecutions(session, id)).find((each) => !before.has(each.id));
      return started && (await readExecution(session, started.id));
    },
    { seconds: 60 },
  );
}
