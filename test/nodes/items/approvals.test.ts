import { DOCS } from '../../../nodes/shared/docs';
import { jsonOf, runAction } from '../../support/action/action';
import { linkInEditor, useGuardedChange } from '../../support/action/approval';
import { companyById, readSettings, settingsWhere } from '../../support/action/company';
import { retriedFrom } from '../../support/action/retry';
import { refusal, useReadingProxy } from '../../support/proxies/reading-proxy';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30 });
const proxy = useReadingProxy(() => sandbox().url);
const { settings, change, patches, isChanged, anyApproval, ask, decide } = useGuardedChange(sandbox);

test('stops with the link of the approval', async () => {
  const { error } = await runAction(sandbox(), change());
  const { approvalId, approvalUrl } = await ask();
  expect(error?.message).toBe('An administrator of the agency must approve this change first. [item 0]');
  expect(error?.description).toContain(
    `approve it:${linkInEditor(approvalUrl)}Within one day of the request, run this again with the option Approval ID set to ${approvalId}.`,
  );
  expect(`${error?.description}<br>`).toContain(`More about approvals:${linkInEditor(DOCS.approvals)}`);
  expect(await isChanged()).toBe(false);
});

test('outputs the approval', async () => {
  const result = await runAction(sandbox(), change({ whenApprovalNeeded: 'output' }));
  expect(jsonOf(result)).toEqual([anyApproval()]);
  expect(result.hints).toEqual(['Changes waiting for approval: 1']);
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
  expect(jsonOf(result)).toEqual([await readSettings(sandbox(), settings().companyId)]);
  expect(await isChanged()).toBe(true);
  expect((await patches()).at(-1)?.headers).toMatchObject({ 'approval-id': asked.approvalId });
});

test('"Retry On Fail" goes on with the approval that the first try has asked for', async () => {
  const { error } = await runAction(sandbox(), change(), { retryOnFail: true });
  const asked = await ask();
  expect(error?.message).toBe('No administrator of the agency has decided yet. [item 0]');
  expect(error?.description).toContain(`:${linkInEditor(asked.approvalUrl)}`);
  const approvals = (await patches()).map(({ headers }) => headers['approval-id']);
  expect(approvals.slice(0, 2)).toStrictEqual([undefined, asked.approvalId]);
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

test('a retry goes on with the approval that was output before another item failed', async () => {
  const parameters = change({
    companyId: companyById('={{ $json.company }}'),
    whenApprovalNeeded: 'output',
    options: { concurrency: 1 },
  });
  const input = [{ json: { company: settings().companyId } }, { json: { company: '' } }];
  const { error } = await runAction(sandbox(), parameters, { input, retryOnFail: true });
  expect(error?.message).toContain('[item 1]');
  const asked = await ask();
  const approvals = (await patches()).map(({ headers }) => headers['approval-id']);
  expect(approvals.slice(0, 2)).toStrictEqual([undefined, asked.approvalId]);
});

test('a retry of a change that was edited meanwhile asks for an approval of its own', async () => {
  const first = await runAction(sandbox(), change());
  const edited = change({ agent: { mcpEnabled: false, documentReview: false } });
  const resume = retriedFrom(first.run, edited);
  await runAction(sandbox(), edited, { resume, mode: 'retry', executionId: '2' });
  const approvals = (await patches()).map(({ headers }) => headers['approval-id']);
  expect(approvals).toStrictEqual([undefined, undefined]);
});

describe('A change that was rejected', () => {
  const again = (run: Awaited<ReturnType<typeof runAction>>['run'], executionId: string) =>
    ({ resume: retriedFrom(run), mode: 'retry', executionId }) as const;

  test('is told once, and asked for anew by the next retry of the execution', async () => {
    const first = await runAction(sandbox(), change());
    const asked = await ask();
    await decide(asked, 'rejected');
    const second = await runAction(sandbox(), change(), again(first.run, '2'));
    expect(second.error?.message).toBe('An administrator of the agency rejected this change. [item 0]');
    expect(second.error?.description).toContain('To ask again, run this again or use "Retry execution".');
    const third = await runAction(sandbox(), change(), again(second.run, '3'));
    const renewed = await ask();
    expect(renewed.approvalId).not.toBe(asked.approvalId);
    expect(third.error?.message).toContain('must approve this change first');
    expect(third.error?.description).toContain(`:${linkInEditor(renewed.approvalUrl)}`);
    await decide(renewed, 'approved');
    jsonOf(await runAction(sandbox(), change(), again(third.run, '4')));
    expect(await isChanged()).toBe(true);
  });

  test('by the Approval ID of the user names the option', async () => {
    const asked = await ask();
    await decide(asked, 'rejected');
    const options = { approvalId: asked.approvalId };
    const { error } = await runAction(sandbox(), change({ options }));
    expect(error?.description).toContain('To ask again, run this without an Approval ID.');
  });
});

describe('An approval that was asked for, and that the agency no longer takes', () => {
  const again = (run: Awaited<ReturnType<typeof runAction>>['run'], executionId: string) =>
    ({ resume: retriedFrom(run), mode: 'retry', executionId }) as const;
  const refuse = async (...answers: Array<[status: number, code: string]>) =>
    await sandbox().control(
      'faults',
      answers.map(([status, code]) => ({ method: 'PATCH', times: 1, fault: 'status', status, code })),
    );

  test.each([
    [400, 'VALIDATION_ERROR'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [422, 'VALIDATION_ERROR'],
  ])('is forgotten and asked for anew: %d %s', async (status, code) => {
    const first = await runAction(sandbox(), change());
    const asked = await ask();
    await decide(asked, 'approved');
    await refuse([status, code]);
    const second = await runAction(sandbox(), change(), again(first.run, '2'));
    const renewed = await ask();
    expect(renewed.approvalId).not.toBe(asked.approvalId);
    expect(second.error?.message).toBe(
      `The approval ${asked.approvalId} is not valid for this change. An administrator must approve this change. [item 0]`,
    );
    expect(second.error?.description).toContain(`:${linkInEditor(renewed.approvalUrl)}`);
    await decide(renewed, 'approved');
    jsonOf(await runAction(sandbox(), change(), again(second.run, '3')));
    expect(await isChanged()).toBe(true);
  });

  test('is not sent again by the next retry when the request without it failed, too', async () => {
    const first = await runAction(sandbox(), change());
    await refuse([404, 'NOT_FOUND'], [403, 'FORBIDDEN']);
    const second = await runAction(sandbox(), change(), again(first.run, '2'));
    expect(second.error?.message).not.toContain('approve');
    const before = (await patches()).length;
    await runAction(sandbox(), change(), again(second.run, '3'));
    expect((await patches())[before]?.headers['approval-id']).toBeUndefined();
  });

  test('stays when it is the idempotency key that is refused', async () => {
    const first = await runAction(sandbox(), change());
    const asked = await ask();
    await decide(asked, 'approved');
    await refuse([422, 'IDEMPOTENCY_KEY_REUSED']);
    const second = await runAction(sandbox(), change(), again(first.run, '2'));
    expect(second.error?.message).toContain('The idempotency key was already used');
    jsonOf(await runAction(sandbox(), change(), again(second.run, '3')));
    expect(await isChanged()).toBe(true);
  });

  test.each<[string, object]>([
    ['it is not the agency that finds nothing', { fault: 'html', status: 404 }],
    ['the key is refused', { fault: 'status', status: 403, code: 'INSUFFICIENT_SCOPE' }],
  ])('stays when %s', async (_, fault) => {
    const first = await runAction(sandbox(), change());
    const asked = await ask();
    await sandbox().control('faults', [{ method: 'PATCH', times: 1, ...fault }]);
    const before = (await patches()).length;
    await runAction(sandbox(), change(), again(first.run, '2'));
    const sent = (await patches()).slice(before);
    expect(sent.map(({ headers }) => headers['approval-id'])).toStrictEqual([asked.approvalId]);
  });

  test('is not asked for anew when the user has given it', async () => {
    const asked = await ask();
    await refuse([404, 'NOT_FOUND']);
    const before = (await patches()).length;
    const { error } = await runAction(sandbox(), change({ options: { approvalId: asked.approvalId } }));
    expect(error?.message).toContain('not found');
    expect(await patches()).toHaveLength(before + 1);
  });
});

test.each([
  ['https://agency.example/approvals/apr_1', 'is a link.'],
  ['“apr_1”', 'contains "“", which cannot be sent.'],
  ['apr_1é', 'contains "é", which cannot be sent.'],
  ['apr_🧾', 'contains "🧾", which cannot be sent.'],
  ['apr\n1', 'contains an invisible character, which cannot be sent.'],
  ['apr\u200b1', 'contains an invisible character, which cannot be sent.'],
])(
  'an Approval ID that is a link, or that no header can carry, is refused by name: %j',
  async (id, words) => {
    const before = (await patches()).length;
    const input = [{ json: { id } }];
    const options = { approvalId: '={{ $json.id }}' };
    const { error } = await runAction(sandbox(), change({ options }), { input });
    expect(error?.message).toBe(`Approval ID ${words} [item 0]`);
    expect(await patches()).toHaveLength(before);
  },
);

test('"Retry execution" goes on with an approval that was output before another item stopped the node', async () => {
  const parameters = change({
    companyId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
    whenApprovalNeeded: 'output',
    options: { concurrency: 1 },
  });
  const input = [{ json: { id: settings().companyId } }, { json: { id: 'nobody' } }];
  const first = await runAction(sandbox(), parameters, { input });
  expect(first.error?.message).toContain('[item 1]');
  const asked = await ask();
  await decide(asked, 'approved');
  const again = { input, resume: retriedFrom(first.run), mode: 'retry', executionId: '2' } as const;
  await runAction(sandbox(), parameters, again);
  expect(await isChanged()).toBe(true);
});

test('an edited change does not go on with the approval of the change before', async () => {
  const first = await runAction(sandbox(), change());
  const asked = await ask();
  await decide(asked, 'approved');
  const { agent } = settings();
  const edited = change({ agent: { mcpEnabled: false, documentReview: !agent.documentReview } });
  const before = (await patches()).length;
  const again = { resume: retriedFrom(first.run, edited), mode: 'retry', executionId: '2' } as const;
  const { error } = await runAction(sandbox(), edited, again);
  expect(error?.message).toContain('must approve this change first');
  expect(error?.description).not.toContain(asked.approvalUrl);
  expect((await patches()).slice(before).map(({ headers }) => headers['approval-id'])).toStrictEqual([
    undefined,
  ]);
});

test('names the approval also when the agency says nothing but that it is pending', async () => {
  const asked = await ask();
  await sandbox().control('faults', [
    { method: 'PATCH', times: 1, fault: 'status', status: 403, code: 'APPROVAL_PENDING' },
  ]);
  const options = { approvalId: asked.approvalId };
  const { error } = await runAction(sandbox(), change({ options }));
  expect(error?.message).toBe('No administrator of the agency has decided yet. [item 0]');
  expect(error?.description).toBe(
    `Nothing was changed. The change can still be approved. Then run this again with the option Approval ID set to ${asked.approvalId}.`,
  );
});

test('a retry outputs what it knows of the approval when the agency says nothing but that it is pending', async () => {
  const first = await runAction(sandbox(), change());
  const asked = await ask();
  await sandbox().control('faults', [
    { method: 'PATCH', times: 1, fault: 'status', status: 403, code: 'APPROVAL_PENDING' },
  ]);
  const output = change({ whenApprovalNeeded: 'output' });
  const resume = retriedFrom(first.run, output);
  const second = await runAction(sandbox(), output, { resume, mode: 'retry', executionId: '2' });
  expect(jsonOf(second)).toEqual([{ ...anyApproval(), ...asked }]);
});

describe('An agency that says no more of an approval than its ID', () => {
  const credential = () => ({ address: proxy.address(), token: sandbox().keys.full });
  const refuseChanges = (approvalId: string) =>
    proxy.read({
      asked: (asked) =>
        asked.method === 'PATCH' ? refusal(403, 'APPROVAL_REQUIRED', { approvalId }) : asked,
    });
  const output = () => change({ whenApprovalNeeded: 'output' });
  const known = (approvalId: string) => ({
    approvalRequired: true,
    companyId: settings().companyId,
    approvalId,
  });

  test('has it output', async () => {
    refuseChanges('apr_1');
    const result = await runAction(sandbox(), output(), { credential: credential() });
    expect(jsonOf(result)).toEqual([known('apr_1')]);
  });

  test('does not have it output with the link of the one before', async () => {
    proxy.read({});
    const first = await runAction(sandbox(), change(), { credential: credential() });
    expect(first.error?.description).toContain('approve it:<br><a href=');
    refuseChanges('apr_2');
    const resume = retriedFrom(first.run, output());
    const again = { credential: credential(), resume, mode: 'retry', executionId: '2' } as const;
    expect(jsonOf(await runAction(sandbox(), output(), again))).toEqual([known('apr_2')]);
  });
});

test('with several items, each has its own approval', async () => {
  const other = await settingsWhere(
    sandbox(),
    ({ companyId, agent }) => agent.mcpEnabled && companyId !== settings().companyId,
  );
  const input = [settings(), other].map(({ companyId }) => ({ json: { companyId } }));
  const companyId = companyById('={{ $json.companyId }}');
  const { outputs } = await runAction(sandbox(), change({ companyId, whenApprovalNeeded: 'output' }), {
    input,
  });
  const items = outputs[0]?.map(({ json }) => json) ?? [];
  expect(items.map((json) => json.companyId)).toEqual([settings().companyId, other.companyId]);
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
