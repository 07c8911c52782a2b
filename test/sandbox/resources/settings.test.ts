import type { Schemas } from '../../../nodes/shared/api/routes';
import type { Company, CompanySettings, CompanySettingsUpdate } from '../../../sandbox/records';
import { first, readAll, watchFeed } from '../../support/sandbox/pages';
import { useSandbox, type ApiErrorBody } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

const FIELDS = (['warehouse', 'type', 'journal', 'allocation', 'vatClass'] as const).map((field) => ({
  field,
  required: true,
  automatic: false,
  defaultValue: field === 'type' ? { kind: 'type', catalogEntryId: 7, code: 'A', label: 'A type' } : null,
}));

const policyWithDefault = (defaultValue: object) => ({
  accountingPolicy: { fields: FIELDS.map((field) => ({ ...field, defaultValue })) },
});

const NORWAY = { baseCurrency: 'NOK', companyCountryCode: 'NO', xmlImportParameter: 'z' };

let path = '';
let before: CompanySettings;

beforeEach(async () => {
  path = `/companies/${(await first<Company>(sandbox(), '/companies')).id}/settings`;
  before = (await sandbox().call<CompanySettings>({ path })).body;
});

type Preview = Schemas['CompanySettingsPreview'];

const update = <T = CompanySettings>(
  body: unknown,
  more: { approvalId?: string; query?: object; key?: string } = {},
) =>
  sandbox().call<T>({
    method: 'PATCH',
    path,
    body,
    key: more.key,
    query: { ...more.query },
    headers: more.approvalId === undefined ? {} : { 'approval-id': more.approvalId },
  });

/** Asks for a guarded change, and returns the approval that it needs. */
async function ask(body: unknown, approvalId?: string): Promise<{ code: string; id: string; url: string }> {
  const answer = await update<ApiErrorBody>(body, { approvalId });
  expect(answer.status).toBe(403);
  const { code, details } = answer.body.error;
  expect(details).toMatchObject({ expiresAt: expect.any(String), reason: expect.any(String) });
  return { code, id: details?.approvalId ?? '', url: details?.approvalUrl ?? '' };
}

const decide = (id: string, decision: string) => sandbox().control(`approvals/${id}/decide`, { decision });

const flipped = () => ({ agent: { mcpEnabled: !before.agent.mcpEnabled } });

describe('free changes', () => {
  test('replace export and accounting policy whole, leave the rest, and are announced', async () => {
    const feed = await watchFeed(sandbox(), before.companyId);
    const { status, body } = await update({ export: NORWAY, accountingPolicy: { fields: FIELDS } });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      export: NORWAY,
      accountingPolicy: { configured: true, fields: FIELDS },
    });
    expect((await sandbox().call<CompanySettings>({ path })).body).toEqual(body);
    expect(await feed.since()).toMatchObject([
      { type: 'company.settings_updated', companyId: before.companyId },
    ]);
  });

  test('as a dry run show the same and save nothing', async () => {
    const { body } = await update<Preview>({ export: NORWAY, ...flipped() }, { query: { dryRun: true } });
    expect(body.result).toMatchObject({ export: NORWAY, agent: flipped().agent });
    expect(body.changes.map((change) => change.path)).toContain('agent.mcpEnabled');
    expect((await sandbox().call<CompanySettings>({ path })).body).toEqual(before);
  });

  test('may name agent switches as they are, which needs no approval', async () => {
    const switches = Object.entries(before.agent).filter(([name]) => name !== 'configured');
    expect((await update({ agent: Object.fromEntries(switches) })).body).toEqual(before);
  });

  test.each([
    ['a currency of two letters', { export: { ...NORWAY, baseCurrency: 'EU' } }],
    ['a country in small letters', { export: { ...NORWAY, companyCountryCode: 'no' } }],
    ['an empty parameter', { export: { ...NORWAY, xmlImportParameter: '' } }],
    ['a part of the export', { export: { baseCurrency: 'EUR' } }],
    ['no export', { export: null }],
    ['four policy fields', { accountingPolicy: { fields: FIELDS.slice(1) } }],
    ['a policy without fields', { accountingPolicy: {} }],
    ['a policy field twice', { accountingPolicy: { fields: [...FIELDS.slice(1), FIELDS[1]] } }],
    ['configured', { agent: { configured: true } }],
    ['an unknown switch', { agent: { everything: true } }],
    ['a switch as text', { agent: { mcpEnabled: 'true' } }],
    ['an unknown write policy', { agent: { accountingSystemWritePolicy: 'always' } }],
    ['an unknown section', { theme: {} }],
    ['an entry id of 0', policyWithDefault({ kind: 'type', catalogEntryId: 0, code: 'A', label: 'A' })],
  ])('are refused with %s', async (_what, body) => {
    const answer = await update<ApiErrorBody>(body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details?.issues?.length).toBeGreaterThan(0);
  });
});

describe('a guarded change', () => {
  test('needs an approval, and happens once with it', async () => {
    const feed = await watchFeed(sandbox(), before.companyId);
    const asked = await ask(flipped());
    expect(asked.code).toBe('APPROVAL_REQUIRED');
    expect((await ask(flipped(), asked.id)).code).toBe('APPROVAL_PENDING');
    expect(await feed.since()).toEqual([]);
    await decide(asked.id, 'approved');
    const { status, body } = await update(flipped(), { approvalId: asked.id });
    expect(status).toBe(200);
    expect(body.agent.mcpEnabled).toBe(!before.agent.mcpEnabled);
    expect(body.agent.documentReview).toBe(before.agent.documentReview);
    expect(await feed.since()).toHaveLength(1);
    const back = { agent: { mcpEnabled: before.agent.mcpEnabled } };
    expect((await ask(back, asked.id)).code).toBe('APPROVAL_REQUIRED');
  });

  test('with free ones beside it changes nothing until it is approved', async () => {
    const mixed = { export: NORWAY, ...flipped() };
    const { id } = await ask(mixed);
    expect((await sandbox().call<CompanySettings>({ path })).body).toEqual(before);
    await decide(id, 'approved');
    const { body } = await update(mixed, { approvalId: id });
    expect(body).toMatchObject({ export: NORWAY, agent: flipped().agent });
  });

  test('that was rejected stays so', async () => {
    const { id } = await ask(flipped());
    await decide(id, 'rejected');
    expect((await ask(flipped(), id)).code).toBe('APPROVAL_REJECTED');
    expect((await sandbox().call<CompanySettings>({ path })).body).toEqual(before);
  });

  test('is approved for a day', async () => {
    const { id } = await ask(flipped());
    await decide(id, 'approved');
    await sandbox().control('clock', { advanceSeconds: 24 * 3600 + 1 });
    const again = await ask(flipped(), id);
    expect([again.code, again.id === id]).toEqual(['APPROVAL_REQUIRED', false]);
  });

  test('is covered only as the very same change', async () => {
    const { id } = await ask(flipped());
    await decide(id, 'approved');
    const other = { agent: { documentReview: !before.agent.documentReview } };
    expect((await ask(other, id)).code).toBe('APPROVAL_REQUIRED');
    expect((await ask({ agent: { ...flipped().agent, ...other.agent } }, id)).code).toBe('APPROVAL_REQUIRED');
    const foreign = await update<ApiErrorBody>(flipped(), { approvalId: id, key: sandbox().keys.other });
    expect(foreign.body.error.code).toBe('APPROVAL_REQUIRED');
    expect((await update(flipped(), { approvalId: id })).status).toBe(200);
  });

  /** A company whose switches were never written to, which the first write changes too. */
  async function unconfigured(): Promise<void> {
    for (const { id } of await readAll<Company>(sandbox(), '/companies')) {
      path = `/companies/${id}/settings`;
      before = (await sandbox().call<CompanySettings>({ path })).body;
      if (!before.agent.configured) return;
    }
    throw new Error('All companies have agent switches');
  }

  test.each<[string, () => CompanySettingsUpdate]>([
    ['a free section', () => ({ export: NORWAY })],
    ['another switch', () => ({ agent: { documentReview: !before.agent.documentReview } })],
    ['a switch of its own', () => ({ agent: { accountingData: !before.agent.accountingData } })],
  ])('that was approved is made though %s has changed in between', async (_what, makeOther) => {
    await unconfigured();
    const wanted = { ...flipped().agent, accountingData: !before.agent.accountingData };
    const { id } = await ask({ agent: wanted });
    await decide(id, 'approved');

    const other = makeOther();
    const approvalId = other.agent && (await ask(other)).id;
    if (approvalId !== undefined) await decide(approvalId, 'approved');
    expect((await update(other, { approvalId })).status).toBe(200);

    const { status, body } = await update({ agent: wanted }, { approvalId: id });
    const agent = { ...before.agent, ...other.agent, ...wanted, configured: true };
    expect([status, body]).toEqual([200, { ...before, ...other, agent }]);
  });

  test('asked for again while it waits is the same approval', async () => {
    const { id } = await ask(flipped());
    expect(await ask(flipped())).toMatchObject({ id });
    expect(await ask(flipped(), 'unknown')).toMatchObject({ id, code: 'APPROVAL_REQUIRED' });
  });

  test('happens once, also when two requests with its approval race', async () => {
    const feed = await watchFeed(sandbox(), before.companyId);
    const { id } = await ask(flipped());
    await decide(id, 'approved');
    const answers = await Promise.all([1, 2].map(() => update(flipped(), { approvalId: id })));
    expect(answers.map(({ body }) => body.agent.mcpEnabled)).toEqual([
      !before.agent.mcpEnabled,
      !before.agent.mcpEnabled,
    ]);
    expect(await feed.since()).toHaveLength(1);
  });

  test('is decided once', async () => {
    const { id } = await ask(flipped());
    await decide(id, 'approved');
    await expect(decide(id, 'rejected')).rejects.toThrow('409');
    await expect(decide('unknown', 'approved')).rejects.toThrow('404');
  });
});
