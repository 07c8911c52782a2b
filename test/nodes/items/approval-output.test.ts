import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { AccountingAgency } from '../../../nodes/AccountingAgency/AccountingAgency.node';
import { jsonOf, runAction } from '../../support/action/action';
import { useGuardedChange } from '../../support/action/approval';
import { companyById, readSettings, settingsWhere } from '../../support/action/company';
import { retriedFrom } from '../../support/action/retry';
import type { NodeResult, NodeRun } from '../../support/engine';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30 });
const { settings, change, patches, isChanged, anyApproval, decide } = useGuardedChange(sandbox);

/** The node of a loop: an item that needs an approval leaves by the second output, and comes back with its ID. */
const loop = (more: INodeParameters = {}) =>
  change({
    companyId: companyById('={{ $json.company }}'),
    agent: { mcpEnabled: '={{ $json.mcp }}' },
    whenApprovalNeeded: 'branch',
    options: { approvalId: '={{ $json.approvalId }}' },
    ...more,
  });
const runLoop = async (input: INodeExecutionData[], run: Partial<NodeRun> = {}, more: INodeParameters = {}) =>
  await runAction(sandbox(), loop(more), { input, ...run });

/** An item that switches the company's MCP access off, with what the node does not know. */
const wanted = (): INodeExecutionData => ({
  json: { company: settings().companyId, mcp: false, asker: 'Mari' },
  binary: { note: { data: 'YQ==', mimeType: 'text/plain', fileName: 'note.txt' } },
});

/** Items of "Approval Needed". */
function needed({ outputs, error }: NodeResult): INodeExecutionData[] {
  if (error !== undefined) throw error;
  return outputs[1] ?? [];
}

/** An item that waits for its approval, as it comes back to the node. */
async function handedOn() {
  const [item] = needed(await runLoop([wanted()]));
  if (item === undefined) throw new Error('Nothing came out by Approval Needed.');
  return { json: item.json, approvalId: String(item.json.approvalId) };
}

test('hands the item on by the second output, with its approval and what would change', async () => {
  const { outputs, hints } = await runLoop([wanted()]);
  expect(hints).toEqual(['Changes waiting for approval: 1']);
  expect(outputs).toEqual([
    [],
    [
      {
        json: {
          company: settings().companyId,
          mcp: false,
          asker: 'Mari',
          ...anyApproval(),
          changes: [{ path: 'agent.mcpEnabled', before: true, after: false }],
        },
        binary: { note: expect.objectContaining({ fileName: 'note.txt' }) },
        pairedItem: { item: 0 },
      },
    ],
  ]);
  expect(await isChanged()).toBe(false);
});

test('items that need no approval come out by the first output, and each is paired with its own', async () => {
  const other = await settingsWhere(sandbox(), ({ agent }) => !agent.mcpEnabled);
  const done = { json: { company: other.companyId, mcp: false } };
  const { outputs, hints } = await runLoop([done, wanted(), done]);
  expect(hints).toEqual(['Changes waiting for approval: 1']);
  expect(outputs.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
    [{ item: 0 }, { item: 2 }],
    [{ item: 1 }],
  ]);
  expect(outputs[0]?.map(({ json }) => json.companyId)).toEqual([other.companyId, other.companyId]);
});

test('makes the change when the item comes back approved', async () => {
  const { json, approvalId } = await handedOn();
  await decide({ approvalId }, 'approved');
  const { outputs, hints } = await runLoop([{ json }]);
  expect(hints).toEqual([]);
  expect(outputs.map((items) => items.length)).toEqual([1, 0]);
  expect((await patches()).at(-1)?.headers).toMatchObject({ 'approval-id': approvalId });
  expect(await isChanged()).toBe(true);
});

test('hands the item on again, with the same approval, while it is not decided', async () => {
  const { json } = await handedOn();
  expect(needed(await runLoop([{ json }])).map((item) => item.json)).toEqual([json]);
});

test('hands the item on with what it knows of the approval when the agency does not say it again', async () => {
  const { json } = await handedOn();
  const silent = { fault: 'status', status: 403, code: 'APPROVAL_PENDING', method: 'PATCH' };
  await sandbox().control('faults', [
    { ...silent, times: 1 },
    { ...silent, times: 1, code: 'FORBIDDEN' },
  ]);
  expect(needed(await runLoop([{ json }])).map((item) => item.json)).toEqual([json]);
});

test('keeps the fields of the item, but for those that tell of the approval', async () => {
  const { json } = await handedOn();
  const { approvalUrl, reason } = json;
  const own = { ...json, companyId: 'own', approvalUrl: 'https://intranet.example', reason: 'own' };
  expect(needed(await runLoop([{ json: own }])).map((item) => item.json)).toEqual([
    { ...own, approvalUrl, reason },
  ]);
});

test('a retry hands the item on with the next approval when the first one came to nothing', async () => {
  const first = await runLoop([wanted()], {}, { whenApprovalNeeded: 'stop', options: {} });
  const [, approvalId] =
    /with the option Approval ID set to (\S+)\./.exec(first.error?.description ?? '') ?? [];
  expect(approvalId).toMatch(/^apr/);
  await sandbox().control('clock', { advanceSeconds: 25 * 60 * 60 });
  const resume = retriedFrom(first.run, loop());
  const retried = await runLoop([wanted()], { resume, mode: 'retry', executionId: '2' });
  const [item] = needed(retried);
  expect(item?.json).toMatchObject({ ...anyApproval(), asker: 'Mari' });
  expect(item?.json.approvalId).not.toBe(approvalId);
});

test('an item that comes back rejected fails, and the others go on', async () => {
  const { json, approvalId } = await handedOn();
  await decide({ approvalId }, 'rejected');
  const { error } = await runLoop([{ json }]);
  expect(error?.message).toBe('An administrator of the agency rejected this change. [item 0]');
  expect(error?.description).toContain('To ask again, run this without an Approval ID.');

  const { outputs } = await runLoop([{ json }, wanted()], { onError: 'continueErrorOutput' });
  expect(outputs.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
    [],
    [{ item: 1 }],
    [{ item: 0 }],
  ]);
  expect(outputs[2]?.[0]?.json.error).toBe('An administrator of the agency rejected this change.');
});

test('with Continue, an item that fails comes out by the first output', async () => {
  const { json, approvalId } = await handedOn();
  await decide({ approvalId }, 'rejected');
  const { outputs } = await runLoop([{ json }, wanted()], { onError: 'continueRegularOutput' });
  expect(outputs.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
    [{ item: 0 }],
    [{ item: 1 }],
  ]);
});

test('an item that comes back too late fails with the link of the next approval', async () => {
  const { json, approvalId } = await handedOn();
  await decide({ approvalId }, 'approved');
  await sandbox().control('clock', { advanceSeconds: 25 * 60 * 60 });
  const { error, outputs } = await runLoop([{ json }]);
  expect(error?.message).toContain(
    `The approval ${approvalId} is not valid for this change. An administrator must approve this change.`,
  );
  expect(error?.description).toContain(`with the new link:<br><a href="${sandbox().url}`);
  expect(outputs).toEqual([]);
  expect(await isChanged()).toBe(false);
});

test('what others have changed until the item comes back is not overwritten, although it was approved', async () => {
  const { companyId, export: before } = await settingsWhere(
    sandbox(),
    ({ export: now, agent }) => now !== null && agent.mcpEnabled,
  );
  const run = async (json: IDataObject) =>
    await runLoop([{ json }], {}, { export: { xmlImportParameter: 'NEW' } });
  const [waiting] = needed(await run({ company: companyId, mcp: false }));
  const others = { ...before, baseCurrency: 'SEK' };
  const path = `/companies/${companyId}/settings`;
  await sandbox().call({ method: 'PATCH', path, body: { export: others } });
  const approvalId = String(waiting?.json.approvalId);
  await decide({ approvalId }, 'approved');
  const { error } = await run({ ...waiting?.json });
  expect(error?.message).toContain(`The approval ${approvalId} is not valid for this change.`);
  expect(await readSettings(sandbox(), companyId)).toMatchObject({
    export: others,
    agent: { mcpEnabled: true },
  });
});

test.each([
  ['without the option', {}],
  ['with an expression that gives nothing', { approvalId: '={{ $json.approvalID }}' }],
])('an item that comes back %s is refused before any request', async (_, options) => {
  const { json } = await handedOn();
  const before = (await patches()).length;
  const { error } = await runLoop([{ json }], {}, { options });
  expect(error?.message).toBe('Approval ID is empty, but the item comes back with an approval. [item 0]');
  expect(error?.description).toContain('set it to {{ $json.approvalId }}');
  expect(await patches()).toHaveLength(before);
});

test('hands the item on without the changes when the agency refuses to try them', async () => {
  await sandbox().control('faults', [
    { method: 'PATCH', times: 1, fault: 'delay', delayMs: 1 },
    { method: 'PATCH', times: 1, fault: 'status', status: 403, code: 'APPROVAL_REQUIRED' },
  ]);
  const [item] = needed(await runLoop([wanted()]));
  expect(item?.json).toMatchObject({ approvalId: expect.stringMatching(/^apr/), asker: 'Mari' });
  expect(item?.json.changes).toBeUndefined();
});

describe('There is one output', () => {
  const read = { resource: 'companySettings', operation: 'get', output: 'all', whenApprovalNeeded: 'branch' };

  test.each([
    [
      'when the operation needs no approval',
      () => ({ ...read, companyId: companyById(settings().companyId) }),
    ],
    ['when the field does not say so', () => change({ whenApprovalNeeded: 'output' })],
  ])('%s', async (_, parameters) => {
    const { outputs } = await runAction(sandbox(), parameters());
    expect(outputs.map((items) => items.length)).toEqual([1]);
  });

  test('when the field is an expression, and when an AI agent uses the node: the item comes out there', async () => {
    const chosen = { whenApprovalNeeded: '={{ $json.mode ?? "branch" }}' };
    const byExpression = await runLoop([wanted()], {}, chosen);
    const tool = new AccountingAgency();
    tool.description = { ...tool.description, outputs: ['ai_tool'] };
    const byAgent = await runLoop([wanted()], { type: tool });
    for (const { outputs, error } of [byExpression, byAgent]) {
      expect(error).toBeUndefined();
      expect(outputs).toEqual([
        [
          expect.objectContaining({
            json: expect.objectContaining({ approvalRequired: true, asker: 'Mari' }),
          }),
        ],
      ]);
    }
    expect(jsonOf(byAgent)).toHaveLength(1);
  });
});
