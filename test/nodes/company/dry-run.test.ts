import { jsonOf, lastRequest, runAction } from '../../support/action/action';
import { companyUpdate, listedCompanies, readCompany } from '../../support/action/company';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30 });

test('a dry run saves nothing and outputs the changes before and after', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  const before = await readCompany(sandbox(), id);
  const result = await runAction(sandbox(), companyUpdate(id, { legalForm: 'AS' }, { dryRun: true }));
  expect(jsonOf(result)).toEqual([
    {
      dryRun: true,
      changes: [{ path: 'legalForm', before: before.legalForm, after: 'AS' }],
      result: { ...before, legalForm: 'AS', updatedAt: expect.any(String) },
    },
  ]);
  expect(await lastRequest(sandbox(), 'PATCH')).toMatchObject({ query: { dryRun: 'true' } });
  expect(await readCompany(sandbox(), id)).toEqual(before);
});

test('a dry run and the update after it may have the same Idempotency Key', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  const options = { idempotencyKey: 'order-7' };
  const tried = await runAction(
    sandbox(),
    companyUpdate(id, { legalForm: 'AS' }, { dryRun: '={{ "true" }}', options, output: 'simplified' }),
  );
  expect(jsonOf(tried)).toEqual([
    expect.objectContaining({
      dryRun: true,
      result: expect.not.objectContaining({ createdAt: expect.anything() }),
    }),
  ]);
  expect(await lastRequest(sandbox(), 'PATCH')).toMatchObject({
    headers: { 'idempotency-key': 'order-7:dryRun' },
  });
  jsonOf(await runAction(sandbox(), companyUpdate(id, { legalForm: 'AS' }, { options })));
  expect(await lastRequest(sandbox(), 'PATCH')).toMatchObject({
    headers: { 'idempotency-key': 'order-7' },
    status: 200,
  });
  expect(await readCompany(sandbox(), id)).toMatchObject({ legalForm: 'AS' });
});

test('makes no real change when a language model leaves out the Dry Run', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  const dryRun = "={{ $fromAI('dryRun', '', 'boolean') }}";
  for (const input of [[{ json: {} }], [{ json: { dryRun: '' } }]]) {
    const { error } = await runAction(sandbox(), companyUpdate(id, { legalForm: 'AS' }, { dryRun }), {
      input,
    });
    expect(error?.message).toMatch(/^Dry Run /);
  }
  expect(await lastRequest(sandbox(), 'PATCH')).toBeUndefined();
});

test('refuses a Dry Run that is neither yes nor no', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  const { error } = await runAction(
    sandbox(),
    companyUpdate(id, { legalForm: 'AS' }, { dryRun: '={{ "maybe" }}' }),
  );
  expect(error?.message).toBe('Dry Run must be true or false, not "maybe". [item 0]');
  expect(await lastRequest(sandbox(), 'PATCH')).toBeUndefined();
});
