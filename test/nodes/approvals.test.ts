import type { INodeParameters } from 'n8n-workflow';
import { systemClock } from '../../nodes/shared/api/wait';
import type { Records } from '../../nodes/shared/api/types';
import type { LoggedRequest } from '../../sandbox/requestLog';
import { jsonOf, runAction } from '../support/action';
import { companyById, readSettings, settingsWhere } from '../support/company';
import { retriedFrom } from '../support/retry';
import { useSandbox } from '../support/sandbox';
import { until } from '../support/until';

const sandbox = useSandbox({ documents: 30 });

let settings: Records['CompanySettings'];

beforeEach(async () => {
  settings = await settingsWhere(sandbox(), ({ agent }) => agent.mcpEnabled);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** Switches MCP access off, which an administrator must approve. */
function change(more: INodeParameters = {}): INodeParameters {
  return {
    resource: 'companySettings',
    operation: 'update',
    companyId: companyById(settings.companyId),
    agent: { mcpEnabled: false },
    ...more,
  };
}

const waiting = { whenApprovalNeeded: 'wait', askEverySeconds: 1, waitMinutes: 1 };

async function patches(): Promise<LoggedRequest[]> {
  return (await sandbox().requests()).filter(({ method }) => method === 'PATCH');
}

const isChanged = async () => !(await readSettings(sandbox(), settings.companyId)).agent.mcpEnabled;

interface Asked {
  approvalId: string;
  approvalUrl: string;
  expiresAt: string;
}

/** Asks for the approval of the change, as "Output the Approval" does. */
async function ask(): Promise<Asked> {
  const { outputs } = await runAction(sandbox(), change({ whenApprovalNeeded: 'output' }));
  const { approvalId, approvalUrl, expiresAt } = outputs[0]?.[0]?.json ?? {};
  return { approvalId: String(approvalId), approvalUrl: String(approvalUrl), expiresAt: String(expiresAt) };
}

const decide = async ({ approvalId }: Asked, decision: 'approved' | 'rejected') =>
  await sandbox().control(`approvals/${approvalId}/decide`, { decision });

/** Resolves when the node has asked again for the decision of an approval. */
async function askedAgain({ approvalId }: Asked): Promise<void> {
  await until('a request with the approval', async () =>
    (await patches()).some(({ headers }) => headers['approval-id'] === approvalId),
  );
}

test('stops with the link of the approval', async () => {
  const { error } = await runAction(sandbox(), change());
  const { approvalId, approvalUrl, expiresAt } = await ask();
  expect(error?.message).toBe(
    `An administrator of the agency must approve this change first: ${approvalUrl} [item 0]`,
  );
  expect(error?.description).toContain(`run it again with Approval ID ${approvalId} before ${expiresAt}`);
  expect(await isChanged()).toBe(false);
});

test('outputs the approval', async () => {
  const result = await runAction(sandbox(), change({ whenApprovalNeeded: 'output' }));
  expect(jsonOf(result)).toEqual([
    {
      approvalRequired: true,
      companyId: settings.companyId,
      approvalId: expect.stringMatching(/^apr/),
      approvalUrl: expect.stringContaining(sandbox().url),
      expiresAt: expect.any(String),
      reason: expect.any(String),
    },
  ]);
  expect(await isChanged()).toBe(false);
});

test('outputs the approval again while it is not decided', async () => {
  const asked = await ask();
  const options = { approvalId: asked.approvalId };
  const result = await runAction(sandbox(), change({ whenApprovalNeeded: 'output', options }));
  expect(jsonOf(result)).toEqual([expect.objectContaining(asked)]);
});

test('makes the change with an Approval ID that was approved', async () => {
  const asked = await ask();
  await decide(asked, 'approved');
  const options = { approvalId: ` ${asked.approvalId} ` };
  const result = await runAction(sandbox(), change({ options }));
  expect(jsonOf(result)).toEqual([await readSettings(sandbox(), settings.companyId)]);
  expect(await isChanged()).toBe(true);
  expect((await patches()).at(-1)?.headers).toMatchObject({ 'approval-id': asked.approvalId });
});

test('waits for the decision, and goes on when it is approved', async () => {
  const asked = await ask();
  const running = runAction(sandbox(), change(waiting));
  await askedAgain(asked);
  await decide(asked, 'approved');
  expect(jsonOf(await running)).toEqual([
    expect.objectContaining({ agent: expect.objectContaining({ mcpEnabled: false }) }),
  ]);
  const mine = (await patches()).slice(1);
  expect(new Set(mine.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(mine.map(({ bodySha256 }) => bodySha256)).toEqual(mine.map(() => mine[0]?.bodySha256));
});

test('stops when the change is rejected while it waits', async () => {
  const asked = await ask();
  const running = runAction(sandbox(), change(waiting));
  await askedAgain(asked);
  await decide(asked, 'rejected');
  const { error } = await running;
  expect(error?.message).toBe('An administrator of the agency has rejected this change. [item 0]');
  expect(error?.description).toContain('To ask again, run it without an Approval ID.');
  expect(await isChanged()).toBe(false);
});

test('stops with the new link when the approval no longer counts', async () => {
  const asked = await ask();
  const running = runAction(sandbox(), change(waiting));
  await askedAgain(asked);
  await sandbox().control('clock', { advanceSeconds: 25 * 60 * 60 });
  const { error } = await running;
  const renewed = await ask();
  expect(renewed.approvalId).not.toBe(asked.approvalId);
  expect(error?.message).toBe(
    `The approval ${asked.approvalId} does not count for this change (any more); an administrator must approve it anew: ${renewed.approvalUrl} [item 0]`,
  );
  expect(error?.description).toContain(`run it again with Approval ID ${renewed.approvalId}`);
});

test('stops with the link when nobody decides in time', async () => {
  const asked = await ask();
  const running = runAction(sandbox(), change(waiting));
  await askedAgain(asked);
  const now = systemClock.now();
  jest.spyOn(systemClock, 'now').mockImplementation(() => now + 61_000);
  const { error } = await running;
  expect(error?.message).toBe(
    `No administrator of the agency has decided within 1 minute: ${asked.approvalUrl} [item 0]`,
  );
  expect(error?.description).toContain(
    `can still be given until ${asked.expiresAt}; then run it again with Approval ID ${asked.approvalId}`,
  );
});

test('stops asking when the execution is cancelled', async () => {
  const asked = await ask();
  let cancel = () => {};
  const running = runAction(sandbox(), change(waiting), {
    onStart: (stop) => {
      cancel = stop;
    },
  });
  await askedAgain(asked);
  cancel();
  const { error } = await running;
  expect(error?.message).toBe('The execution was cancelled. [item 0]');
  const before = (await patches()).length;
  await systemClock.sleep(1500);
  expect(await patches()).toHaveLength(before);
});

test('"Retry On Fail" goes on with the approval that the first try has asked for', async () => {
  const { error } = await runAction(sandbox(), change(), { retryOnFail: true });
  const asked = await ask();
  expect(error?.message).toBe(
    `No administrator of the agency has decided yet: ${asked.approvalUrl} [item 0]`,
  );
  const approvals = (await patches()).map(({ headers }) => headers['approval-id']);
  expect(approvals.slice(0, 2)).toEqual([undefined, asked.approvalId]);
});

test('"Retry execution" makes the change with the approval that was given meanwhile', async () => {
  const first = await runAction(sandbox(), change());
  const asked = await ask();
  await decide(asked, 'approved');
  const again = { resume: retriedFrom(first.run), mode: 'retry', executionId: '2' } as const;
  expect(jsonOf(await runAction(sandbox(), change(), again))).toEqual([
    expect.objectContaining({ agent: expect.objectContaining({ mcpEnabled: false }) }),
  ]);
  expect((await patches()).at(-1)?.headers).toMatchObject({ 'approval-id': asked.approvalId });
});

test('names the approval also when the agency says nothing but that it is pending', async () => {
  const asked = await ask();
  await sandbox().control('faults', [
    { method: 'PATCH', times: 1, fault: 'status', status: 403, code: 'APPROVAL_PENDING' },
  ]);
  const options = { approvalId: asked.approvalId };
  const { error } = await runAction(sandbox(), change({ options }));
  expect(error?.message).toBe(`No administrator of the agency has decided yet: ${asked.approvalId} [item 0]`);
});

test('stops when an approval is needed and the agency does not say which, also when it should wait', async () => {
  await sandbox().control('faults', [
    { method: 'PATCH', times: 1, fault: 'status', status: 403, code: 'APPROVAL_REQUIRED' },
  ]);
  const { error } = await runAction(sandbox(), change(waiting));
  expect(error?.message).toBe('An administrator of the agency must approve this change first. [item 0]');
});

test('with several items, each has its own approval', async () => {
  const other = await settingsWhere(
    sandbox(),
    ({ companyId, agent }) => agent.mcpEnabled && companyId !== settings.companyId,
  );
  const input = [settings, other].map(({ companyId }) => ({ json: { companyId } }));
  const companyId = companyById('={{ $json.companyId }}');
  const { outputs } = await runAction(sandbox(), change({ companyId, whenApprovalNeeded: 'output' }), {
    input,
  });
  const items = outputs[0]?.map(({ json }) => json) ?? [];
  expect(items.map((json) => json.companyId)).toEqual([settings.companyId, other.companyId]);
  expect(new Set(items.map(({ approvalId }) => approvalId)).size).toBe(2);
});

test('with continue on fail the error item carries the approval', async () => {
  const { outputs } = await runAction(sandbox(), change(), { onError: 'continueErrorOutput' });
  expect(outputs[0]).toEqual([]);
  expect(outputs[1]?.map(({ json }) => json)).toEqual([
    expect.objectContaining({
      details: expect.objectContaining({
        code: 'APPROVAL_REQUIRED',
        details: expect.objectContaining({ approvalUrl: (await ask()).approvalUrl }),
      }),
    }),
  ]);
});

test('refuses waiting times out of bounds before any request', async () => {
  const before = (await patches()).length;
  for (const [wish, message] of [
    [{ askEverySeconds: 0 }, 'Ask Every (Seconds) must be a whole number from 1 to 3600.'],
    [{ askEverySeconds: 3601 }, 'Ask Every (Seconds) must be a whole number from 1 to 3600.'],
    [{ waitMinutes: 0 }, 'Wait at Most (Minutes) must be a whole number from 1 to 1440.'],
    [{ waitMinutes: 1441 }, 'Wait at Most (Minutes) must be a whole number from 1 to 1440.'],
    [{ whenApprovalNeeded: '={{ "never" }}' }, 'When Approval Is Needed cannot be "never".'],
  ] as const) {
    const { error } = await runAction(sandbox(), change({ ...waiting, ...wish }));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await patches()).toHaveLength(before);
});
