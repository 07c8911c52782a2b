import assert from 'node:assert/strict';
import { arrivedRequests, control } from '../../../../tools/n8n/agency';
import {
  type Execution,
  finishedExecution,
  readWaiting,
  runWorkflow,
} from '../../../../tools/n8n/executions';
import { waitFor } from '../../../../tools/n8n/processes/process';
import { type Desk, importExample, type Trial } from './desk';
import { mcpEnabled, withoutMcp } from './agent/mcp-access';

const FILE = 'approval-overnight.json';
const MESSAGE = 'Message to an administrator';
/** In place of the hour. n8n keeps a shorter wait in its memory, and looks once a minute for those that are over. */
const PAUSE = { amount: 66, unit: 'seconds' };
const SECONDS = 240;

/** Imports the example for a company and starts it. Gives the execution's id. */
async function begin(desk: Desk, company: number): Promise<string> {
  const change = { 'Wait one hour': { parameters: PAUSE } };
  const workflow = await importExample(desk, FILE, { company, change });
  return runWorkflow(desk.stage.session, workflow, 'Start by hand');
}

/** The execution when n8n has put it away, with its message sent so many times. */
const putAway = ({ stage: { session } }: Desk, id: string, messages: number): Promise<Execution> =>
  waitFor(
    `execution ${id} to wait after message ${messages}`,
    async () => {
      const execution = await readWaiting(session, id);
      return execution?.runs(MESSAGE).length === messages ? execution : undefined;
    },
    { seconds: SECONDS },
  );

/** The approvals that the items wait for, one for each time that they came out by Approval Needed. */
const approvals = (execution: Execution): string[] =>
  execution.items('Change the setting', 1).map(({ json }) => String(json['approvalId']));

/** How often the agency has made the change of a company. */
async function timesMade({ stage: { agency } }: Desk, companyId: string): Promise<number> {
  const path = `/companies/${encodeURIComponent(companyId)}/settings`;
  return (await arrivedRequests(agency)).filter(
    (request) =>
      request.method === 'PATCH' &&
      request.path.endsWith(path) &&
      request.query['dryRun'] === undefined &&
      request.status === 200,
  ).length;
}

/** `approval-overnight.json`. */
export const approvalOvernight: Trial = async (desk, check) => {
  const { agency, session, restart } = desk.stage;
  const [rejected = 0, approved = 0] = (await withoutMcp(desk)).slice(-2);
  const idOf = (company: number) => desk.companies[company]?.id ?? '';
  const decide = (execution: Execution, decision: 'approved' | 'rejected') =>
    control(agency, `/approvals/${approvals(execution)[0]}/decide`, { decision });
  const first = await begin(desk, rejected);
  const second = await begin(desk, approved);

  await check('approval-overnight: the link goes on, and n8n waits with the item', async () => {
    assert.notEqual(rejected, approved, 'the sandbox has companies without access through MCP');
    const [one, other] = [await putAway(desk, first, 1), await putAway(desk, second, 1)];
    assert.equal(approvals(one).length, 1);
    const [message] = other.items(MESSAGE);
    assert.match(String(message?.json['message']), /^Please decide by \d{4}-.*: http/);
    await decide(one, 'rejected');
  });
  await restart('stop');
  await check('approval-overnight: a rejected change is not made after a restart of n8n', async () => {
    const execution = await finishedExecution(session, first, { seconds: SECONDS });
    assert.deepEqual(execution.items('Changed'), []);
    assert.match(String(execution.items('Not changed')[0]?.json['reason']), /reject/i);
    assert.equal(await mcpEnabled(desk, idOf(rejected)), false);
  });
  await check('approval-overnight: an undecided one waits again for the same approval', async () => {
    const execution = await putAway(desk, second, 2);
    const [id] = approvals(execution);
    assert.deepEqual(approvals(execution), [id, id]);
    assert.equal(await timesMade(desk, idOf(approved)), 0);
    await decide(execution, 'approved');
  });
  await check('approval-overnight: an approved one is made once, and the item goes on', async () => {
    const execution = await finishedExecution(session, second, { seconds: SECONDS });
    assert.deepEqual(
      execution.items('Changed').map(({ json }) => json),
      [{ companyId: idOf(approved), mcpEnabled: true }],
    );
    assert.equal(execution.runs(MESSAGE).length, 2);
    assert.equal(await timesMade(desk, idOf(approved)), 1);
    assert.equal(await mcpEnabled(desk, idOf(approved)), true);
  });
};
