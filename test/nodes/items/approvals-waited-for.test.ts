import { systemClock } from '../../../nodes/shared/api/requests/wait';
import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action/action';
import { type Asked, linkInEditor, useGuardedChange } from '../../support/action/approval';
import { companyById, listedCompanies, readSettings, settingsWhere } from '../../support/action/company';
import { retriedFrom } from '../../support/action/retry';
import type { NodeRun } from '../../support/engine';
import { useSandbox } from '../../support/sandbox/sandbox';
import { fastTime } from '../../support/time/time';
import { until } from '../../support/time/until';

const sandbox = useSandbox({ documents: 30 });
const { change, patches, isChanged, ask, decide } = useGuardedChange(sandbox);

afterEach(() => {
  jest.restoreAllMocks();
});

const waiting = { whenApprovalNeeded: 'wait', checkEverySeconds: 1, stopWaitingAfterMinutes: 1 };

/** Resolves when the node has asked again for the decision of an approval. */
async function askedAgain({ approvalId }: Asked): Promise<void> {
  await until('a request with the approval', async () =>
    (await patches()).some(({ headers }) => headers['approval-id'] === approvalId),
  );
}

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

describe('What the change keeps', () => {
  /** Changes a company's import parameter, which is sent with the other export settings, and an agent switch. */
  async function changing() {
    const settings = await settingsWhere(
      sandbox(),
      ({ export: now, agent }) => now !== null && agent.mcpEnabled,
    );
    const { companyId } = settings;
    const parameters = change({
      ...waiting,
      companyId: companyById(companyId),
      export: { xmlImportParameter: 'NEW' },
    });
    const before = (await sandbox().requests()).length;
    const mine = async () =>
      (await sandbox().requests())
        .slice(before)
        .filter(({ path }) => path.endsWith(`/${companyId}/settings`));
    /** The approval that the node has asked for again. */
    const waitedFor = async () =>
      await until('a request with an approval', async () =>
        (await mine()).map(({ headers }) => headers['approval-id']).find(Boolean),
      );
    return { settings, parameters, mine, waitedFor };
  }

  test('is read again before each request', async () => {
    const { settings, parameters, mine, waitedFor } = await changing();
    const running = runAction(sandbox(), parameters);
    await decide({ approvalId: String(await waitedFor()) }, 'approved');
    expect(jsonOf(await running)).toEqual([
      expect.objectContaining({ export: { ...settings.export, xmlImportParameter: 'NEW' } }),
    ]);
    const methods = (await mine()).map(({ method }) => method);
    expect(methods).toEqual(methods.map((_, index) => (index % 2 === 0 ? 'GET' : 'PATCH')));
    expect(methods.at(-1)).toBe('PATCH');
  });

  /** A run in which others change the export settings before the approval is given, so that it must be approved anew. */
  async function overtaken() {
    const { settings, parameters, waitedFor } = await changing();
    const { companyId } = settings;
    const running = runAction(sandbox(), parameters);
    const approvalId = String(await waitedFor());
    const others = { ...settings.export, baseCurrency: 'SEK' };
    await sandbox().call({
      method: 'PATCH',
      path: `/companies/${companyId}/settings`,
      body: { export: others },
    });
    await decide({ approvalId }, 'approved');
    const { error, run } = await running;
    expect(error?.message).toContain(`The approval ${approvalId} is not valid for this change.`);
    expect(error?.description).toContain('including the values that stay the same');
    expect(await readSettings(sandbox(), companyId)).toMatchObject({ export: others, agent: settings.agent });
    const renewed = /with the option Approval ID set to (\S+)\./.exec(error?.description ?? '')?.[1] ?? '';
    expect(renewed).not.toBe(approvalId);
    await decide({ approvalId: renewed }, 'approved');
    const made = { ...others, xmlImportParameter: 'NEW' };
    return {
      run,
      parameters,
      renewed,
      made,
      exported: async () => (await readSettings(sandbox(), companyId)).export,
    };
  }

  test('is not overwritten when others have changed it meanwhile: the change must be approved anew', async () => {
    const { parameters, renewed, made, exported } = await overtaken();
    jsonOf(await runAction(sandbox(), { ...parameters, options: { approvalId: renewed } }));
    expect(await exported()).toEqual(made);
  });

  test('is not overwritten by "Retry execution", which goes on with the new approval', async () => {
    const { run, parameters, made, exported } = await overtaken();
    const again = { resume: retriedFrom(run), mode: 'retry', executionId: '2' } as const;
    jsonOf(await runAction(sandbox(), parameters, again));
    expect(await exported()).toEqual(made);
  });
});

describe('n8n’s log', () => {
  /** What it says of waiting while a change is approved that was asked for before. */
  async function saidWhile(asked: Asked, options: INodeParameters = {}): Promise<string[]> {
    const lines: string[] = [];
    const running = runAction(sandbox(), change({ ...waiting, options }), {
      async input() {
        jest.spyOn(this.logger, 'info').mockImplementation((line) => lines.push(line));
        return [{ json: {} }];
      },
    });
    await until('two requests with the approval', async () => {
      const mine = (await patches()).filter(({ headers }) => headers['approval-id'] === asked.approvalId);
      return mine.length >= 2;
    });
    await decide(asked, 'approved');
    jsonOf(await running);
    return lines.filter((line) => line.includes('is waiting'));
  }
  const node = 'node "Agency" of workflow "Test" (workflow-1)';

  test('names the link once while the node waits', async () => {
    const asked = await ask();
    expect(await saidWhile(asked)).toEqual([
      `${node} is waiting for an administrator to decide on item 0: ${asked.approvalUrl}`,
    ]);
  });

  test('names the approval when the agency does not give the link', async () => {
    const asked = await ask();
    await sandbox().control('faults', [
      { method: 'PATCH', times: 1, fault: 'status', status: 403, code: 'APPROVAL_PENDING' },
    ]);
    expect(await saidWhile(asked, { approvalId: asked.approvalId })).toEqual([
      `${node} is waiting for an administrator to decide on item 0: ${asked.approvalId}`,
    ]);
  });
});

test('stops when the change is rejected while it waits', async () => {
  const asked = await ask();
  const running = runAction(sandbox(), change(waiting));
  await askedAgain(asked);
  await decide(asked, 'rejected');
  const { error } = await running;
  expect(error?.message).toBe('An administrator of the agency rejected this change. [item 0]');
  expect(error?.description).toContain('To ask again, run this again or use "Retry execution".');
  expect(await isChanged()).toBe(false);
});

test('"Retry On Fail" does not ask again for what was rejected', async () => {
  const asked = await ask();
  const running = runAction(sandbox(), change(waiting), { retryOnFail: true });
  await askedAgain(asked);
  await decide(asked, 'rejected');
  const { error } = await running;
  expect(error?.message).toBe('An administrator of the agency rejected this change. [item 0]');
  const approvals = (await patches()).slice(2).map(({ headers }) => headers['approval-id']);
  expect(new Set(approvals)).toEqual(new Set([asked.approvalId]));
  // Pending at least once, then rejected in both tries.
  expect(approvals.length).toBeGreaterThanOrEqual(3);
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
    `The approval ${asked.approvalId} is not valid for this change. An administrator must approve this change. [item 0]`,
  );
  expect(error?.description).toContain(
    `:${linkInEditor(renewed.approvalUrl)}Then run this again with the option Approval ID set to ${renewed.approvalId}`,
  );
});

test('stops with the link when nobody decides in time', async () => {
  const asked = await ask();
  const running = runAction(sandbox(), change(waiting));
  await askedAgain(asked);
  const now = systemClock.now();
  jest.spyOn(systemClock, 'now').mockImplementation(() => now + 61_000);
  const { error } = await running;
  expect(error?.message).toBe('No administrator of the agency has decided within 1 minute. [item 0]');
  expect(error?.description).toMatch(
    /can still be approved until [A-Z][a-z]+ \d{1,2}, \d\d:\d\d \(Europe\/Tallinn\):<br>/,
  );
  expect(error?.description).toContain(
    `:${linkInEditor(asked.approvalUrl)}Then run this again with the option Approval ID set to ${asked.approvalId}`,
  );
});

test('waits no longer than it should, also when it asks less often than that', async () => {
  const start = Date.now();
  let slept = 0;
  jest.spyOn(systemClock, 'now').mockImplementation(() => start + slept);
  jest.spyOn(systemClock, 'sleep').mockImplementation(async (milliseconds) => {
    slept += milliseconds;
  });
  const twoMinutes = { ...waiting, checkEverySeconds: 600, stopWaitingAfterMinutes: 2 };
  const { error } = await runAction(sandbox(), change(twoMinutes));
  expect(error?.message).toBe('No administrator of the agency has decided within 2 minutes. [item 0]');
  expect(slept).toBe(120_000);
  expect(await patches()).toHaveLength(2);
});

test('stops asking when the execution is cancelled', async () => {
  const asked = await ask();
  const stop = new AbortController();
  const running = runAction(sandbox(), change(waiting), { signal: stop.signal });
  await askedAgain(asked);
  stop.abort();
  const { error } = await running;
  expect(error?.message).toBe('The execution was canceled. [item 0]');
  const before = (await patches()).length;
  await systemClock.sleep(1500);
  expect(await patches()).toHaveLength(before);
});

test('refuses waiting times out of bounds before any request', async () => {
  const before = (await patches()).length;
  for (const [wish, message] of [
    [{ checkEverySeconds: 0 }, 'Check Every (Seconds) must be a whole number from 1 to 900, not 0.'],
    [{ checkEverySeconds: 901 }, 'Check Every (Seconds) must be a whole number from 1 to 900, not 901.'],
    [
      { stopWaitingAfterMinutes: 0 },
      'Stop Waiting After (Minutes) must be a whole number from 1 to 15, not 0.',
    ],
    [
      { stopWaitingAfterMinutes: 16 },
      'Stop Waiting After (Minutes) must be a whole number from 1 to 15, not 16.',
    ],
    [{ whenApprovalNeeded: '={{ "never" }}' }, 'When Approval Is Needed cannot be "never".'],
  ] as const) {
    const { error } = await runAction(sandbox(), change({ ...waiting, ...wish }));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await patches()).toHaveLength(before);
});

test('stops when an approval is needed and the agency does not say which, also when it should wait', async () => {
  await sandbox().control('faults', [
    { method: 'PATCH', times: 1, fault: 'status', status: 403, code: 'APPROVAL_REQUIRED' },
  ]);
  const { error } = await runAction(sandbox(), change(waiting));
  expect(error?.message).toBe('An administrator of the agency must approve this change first. [item 0]');
});

describe('Several companies', () => {
  /** An item for each company, which turns one of its agent switches, and how many items are worked on at a time. */
  async function turningSwitches(count: number, more: INodeParameters = {}) {
    const companies = (await listedCompanies(sandbox())).slice(0, count);
    const input = await Promise.all(
      companies.map(async ({ id }) => {
        const { agent } = await readSettings(sandbox(), id);
        return { json: { id, on: !agent.documentReview } };
      }),
    );
    const parameters: INodeParameters = {
      ...change({ ...waiting, ...more }),
      companyId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
      agent: { documentReview: '={{ $json.on }}' },
    };
    return {
      input,
      run: async (run: Partial<NodeRun> = {}) => await runAction(sandbox(), parameters, { input, ...run }),
    };
  }

  /** The approvals that the node has asked for again, by company: it waits for them. */
  const waitedFor = async (): Promise<Map<string, string>> => {
    const polls = (await patches()).filter(({ headers }) => headers['approval-id'] !== undefined);
    return new Map(
      polls.map(({ path, headers }) => [path.split('/')[4] ?? '', String(headers['approval-id'])]),
    );
  };
  const decideOn = async (id: string | undefined, decision: 'approved' | 'rejected') =>
    await sandbox().control(`approvals/${id}/decide`, { decision });

  test('have their approvals pending at once, and are changed when these are given', async () => {
    const { input, run } = await turningSwitches(12);
    const running = run();
    await until('twelve pending approvals', async () => (await waitedFor()).size === 12);
    for (const id of (await waitedFor()).values()) await decideOn(id, 'approved');
    const made = jsonOf(await running).map((json) => Object(json));
    expect(made.map(({ companyId, agent }) => [companyId, agent.documentReview])).toEqual(
      input.map(({ json }) => [json.id, json.on]),
    );
  });

  test('do not wait any longer when one change is rejected, whose error is told', async () => {
    const { input, run } = await turningSwitches(8);
    const running = run();
    await until('eight pending approvals', async () => (await waitedFor()).size === 8);
    const start = Date.now();
    await decideOn((await waitedFor()).get(String(input[4]?.json.id)), 'rejected');
    const { error } = await running;
    expect(error?.message).toBe('An administrator of the agency rejected this change. [item 4]');
    expect(Date.now() - start).toBeLessThan(15_000);
  });

  test('go on waiting when one change is rejected and the node continues on an error', async () => {
    const { input, run } = await turningSwitches(3);
    const running = run({ onError: 'continueErrorOutput' });
    await until('three pending approvals', async () => (await waitedFor()).size === 3);
    for (const [companyId, id] of await waitedFor())
      await decideOn(id, companyId === input[0]?.json.id ? 'rejected' : 'approved');
    const { outputs } = await running;
    expect(outputs.map((items) => items.length)).toEqual([2, 1]);
  });

  test('keep the order of the changes to one of them, while the others go on', async () => {
    const { input, run } = await turningSwitches(2, { options: { concurrency: 1 } });
    const [first, second] = input;
    if (first === undefined || second === undefined) throw new Error('There are no two companies.');
    const back = { json: { ...first.json, on: !first.json.on } };
    const running = run({ input: [first, back, second] });
    await until('two pending approvals', async () => (await waitedFor()).size === 2);
    const decided = new Set<string>();
    await until('three decisions', async () => {
      for (const id of (await waitedFor()).values()) {
        if (!decided.has(id)) await decideOn(id, 'approved');
        decided.add(id);
      }
      return decided.size === 3;
    });
    const made = jsonOf(await running).map((json) => Object(json).agent.documentReview);
    expect(made).toEqual([first.json.on, back.json.on, second.json.on]);
    expect((await readSettings(sandbox(), first.json.id)).agent.documentReview).toBe(back.json.on);
  });
});

describe('Waiting that is over before the next check', () => {
  const time = fastTime(sandbox);

  test('ends with its own minute, and a last check', async () => {
    const { error } = await runAction(sandbox(), change({ ...waiting, checkEverySeconds: 900 }));
    expect(error?.message).toContain('has decided within 1 minute');
    // Less by what the requests take.
    expect(time.waits.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(60_000);
    const polls = (await patches()).filter(({ headers }) => headers['approval-id'] !== undefined);
    expect(polls).toHaveLength(1);
  });
});
