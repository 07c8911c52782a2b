import assert from 'node:assert/strict';
import { arrivedRequests, control } from '../../../../tools/n8n/agency';
import { type Execution, finishedExecution, runWorkflow } from '../../../../tools/n8n/executions';
import { waitFor } from '../../../../tools/n8n/processes/process';
import { type Desk, importExample, runByHand, type Trial } from './desk';
import { mcpEnabled, withoutMcp } from './agent/mcp-access';

const FILE = 'guarded-settings-change.json';

/** Runs the workflow, decides as an administrator does once it waits, and gives the finished run. */
async function decided(desk: Desk, workflow: string, decision: 'approved' | 'rejected'): Promise<Execution> {
  const { agency, session } = desk.stage;
  const before = (await arrivedRequests(agency)).length;
  const id = await runWorkflow(session, workflow, 'Start by hand');
  const approvalId = await waitFor(
    'the workflow to wait for the decision',
    async () => {
      const asked = (await arrivedRequests(agency)).slice(before);
      return asked.find(({ headers }) => headers['approval-id'])?.headers['approval-id'];
    },
    { seconds: 180 },
  );
  await control(agency, `/approvals/${String(approvalId)}/decide`, { decision });
  return finishedExecution(session, id, { seconds: 180 });
}

/** `guarded-settings-change.json`. */
export const guardedChange: Trial = async (desk, check) => {
  const off = await withoutMcp(desk);
  const [first = 0, second = 0] = off;
  const idOf = (index: number) => desk.companies[index]?.id ?? '';
  const workflow = await importExample(desk, FILE, { company: first });

  await check('guarded-settings-change: the link goes on, and an approved change is made', async () => {
    assert.ok(off.length > 1, 'the sandbox has companies without access through MCP');
    const execution = await decided(desk, workflow, 'approved');
    const [message] = execution.items('Message to an administrator');
    assert.match(String(message?.json['message']), /^Please decide by \d{4}-.*: http/);
    assert.deepEqual(
      execution.items('Changed').map(({ json }) => json),
      [{ companyId: idOf(first), mcpEnabled: true }],
    );
    assert.equal(await mcpEnabled(desk, idOf(first)), true);
  });
  await check('guarded-settings-change: a change that is made already asks nobody', async () => {
    const execution = await runByHand(desk, workflow);
    assert.deepEqual(execution.items('Message to an administrator'), []);
    assert.equal(execution.items('Changed').length, 1);
  });
  await check('guarded-settings-change: a rejected change is not made, and the reason goes on', async () => {
    const other = await importExample(desk, FILE, { company: second });
    const execution = await decided(desk, other, 'rejected');
    assert.deepEqual(execution.items('Changed'), []);
    assert.match(String(execution.items('Not changed')[0]?.json['reason']), /reject/i);
    assert.equal(await mcpEnabled(desk, idOf(second)), false);
  });
};
