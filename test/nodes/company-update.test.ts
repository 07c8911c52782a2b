import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import type { Records } from '../../nodes/shared/api/types';
import { jsonOf, loggedBody, runAction } from '../support/action';
import { useSandbox } from '../support/sandbox';

const sandbox = useSandbox({ documents: 30 });

type Company = Records['Company'];

async function companies(): Promise<[Company, Company]> {
  const { body } = await sandbox().call<{ data: Company[] }>({ path: '/companies', query: { limit: 2 } });
  const [first, second] = body.data;
  if (!first || !second) throw new Error('The seed has two companies.');
  return [first, second];
}

async function read(id: string): Promise<Company> {
  return (await sandbox().call<Company>({ path: `/companies/${id}` })).body;
}

/** The parameters of an update, each company by its ID. */
function parameters(
  companyId: string,
  updateFields: INodeParameters,
  more: INodeParameters = {},
): INodeParameters {
  return {
    resource: 'company',
    operation: 'update',
    companyId: { __rl: true, mode: 'id', value: companyId },
    updateFields,
    simplify: false,
    ...more,
  };
}

async function lastPatch() {
  const patches = (await sandbox().requests()).filter(({ method }) => method === 'PATCH');
  return patches.at(-1);
}

test('sends the one field that was added, under a key, and outputs the company', async () => {
  const [{ id }] = await companies();
  const result = await runAction(sandbox(), parameters(id, { legalForm: ' AS ' }));
  expect(jsonOf(result)).toEqual([await read(id)]);
  expect(await read(id)).toMatchObject({ legalForm: 'AS' });
  expect(result.outputs[0]?.[0]?.pairedItem).toEqual({ item: 0 });
  expect(await lastPatch()).toMatchObject({
    path: `/api/v1/companies/${id}`,
    query: {},
    headers: { 'idempotency-key': expect.stringMatching(/^[0-9a-f]{64}$/) },
    ...loggedBody({ legalForm: 'AS' }),
  });
});

test('sends every field of the API', async () => {
  const [{ id }] = await companies();
  const fields = {
    address: 'Pikk 12, 10123 Tallinn',
    directorName: 'Mari Õunapuu',
    employeesFrom: '2024-02-29',
    employeesTo: '2025-01-31T00:00:00',
    legalForm: 'OÜ',
    serviceStoppedFrom: '2026-01-01',
    serviceStoppedReason: 'Sold',
    shortName: 'Õunapuu',
    vatFrom: '2024-03-31T00:00:00.000+02:00',
    vatPeriod: 'quarterly',
    vatTo: '2025-12-31',
  };
  const sent = { ...fields, employeesTo: '2025-01-31', vatFrom: '2024-03-31' };
  expect(jsonOf(await runAction(sandbox(), parameters(id, fields)))).toEqual([
    expect.objectContaining({ id, ...sent }),
  ]);
  expect(await lastPatch()).toMatchObject(loggedBody(sent));
});

test('outputs the most used fields when simplified', async () => {
  const [{ id, name }] = await companies();
  const [company] = jsonOf(
    await runAction(sandbox(), parameters(id, { shortName: 'Uus' }, { simplify: true })),
  );
  expect(company).toMatchObject({ id, name, shortName: 'Uus' });
  expect(company).not.toHaveProperty('createdAt');
});

test('clears texts, dates and the VAT period that were added and left empty', async () => {
  const [{ id }] = await companies();
  const empty = { shortName: '', vatFrom: '', vatPeriod: '', serviceStoppedReason: '  ' };
  const cleared = { shortName: null, vatFrom: null, vatPeriod: null, serviceStoppedReason: null };
  expect(jsonOf(await runAction(sandbox(), parameters(id, empty)))).toEqual([
    expect.objectContaining(cleared),
  ]);
});

test('leaves out what a language model left empty', async () => {
  const [{ id }] = await companies();
  const before = await read(id);
  const fields = {
    shortName: "={{ $fromAI('short', '', 'string') }}",
    legalForm: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('form', ``, 'string') }}",
    vatFrom: "={{ $fromAI('from', '', 'string') }}",
  };
  const input = [{ json: { short: '', form: 'AS', from: null } }];
  const result = await runAction(sandbox(), parameters(id, fields), { input });
  expect(jsonOf(result)).toEqual([
    expect.objectContaining({ shortName: before.shortName, legalForm: 'AS', vatFrom: before.vatFrom }),
  ]);
  expect(await lastPatch()).toMatchObject(loggedBody({ legalForm: 'AS' }));
});

test('refuses an update of nothing before any request', async () => {
  const [{ id }] = await companies();
  for (const fields of [{}, { shortName: "={{ $fromAI('short', '', 'string', '') }}" }]) {
    const { error } = await runAction(sandbox(), parameters(id, fields));
    expect(error?.message).toBe('Update Fields holds no field to change. [item 0]');
    expect(error?.description).toContain('Add at least one field');
  }
  expect(await lastPatch()).toBeUndefined();
});

test('takes texts up to their bounds, and refuses longer ones by name before any request', async () => {
  const [{ id }] = await companies();
  const bounds: Array<[string, number, string]> = [
    ['shortName', 300, 'Short Name'],
    ['legalForm', 300, 'Legal Form'],
    ['address', 300, 'Address'],
    ['directorName', 300, 'Director Name'],
    ['serviceStoppedReason', 200, 'Service Stopped Reason'],
  ];
  const longest = Object.fromEntries(bounds.map(([name, most]) => [name, '🧾'.repeat(most)]));
  expect(jsonOf(await runAction(sandbox(), parameters(id, longest)))).toEqual([
    expect.objectContaining(longest),
  ]);
  for (const [name, most, label] of bounds) {
    const { error } = await runAction(sandbox(), parameters(id, { [name]: 'x'.repeat(most + 1) }));
    expect(error?.message).toBe(`${label} has ${most + 1} characters; ${most} are allowed. [item 0]`);
  }
  expect((await sandbox().requests()).filter(({ method }) => method === 'PATCH')).toHaveLength(1);
});

test('refuses dates and periods that do not exist, by name and before any request', async () => {
  const [{ id }] = await companies();
  const refused: Array<[string, string, string]> = [
    ['vatFrom', '2024-02-30', 'VAT From is not a date of the calendar: "2024-02-30".'],
    ['employeesTo', 'soon', 'Employees To is not a date of the calendar: "soon".'],
    ['vatPeriod', 'yearly', 'VAT Period cannot be "yearly".'],
  ];
  for (const [name, value, message] of refused) {
    const { error } = await runAction(sandbox(), parameters(id, { [name]: value }));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await lastPatch()).toBeUndefined();
});

test('sends the day that a date shows, in every time zone and also from expressions', async () => {
  const [{ id }] = await companies();
  const fields = {
    vatFrom: '2024-03-31',
    vatTo: '={{ DateTime.fromISO("2024-03-31T23:30:00") }}',
    employeesFrom: '={{ $json.date }}',
    employeesTo: '={{ new Date($json.instant) }}',
  };
  const day = '2024-03-31';
  const sent = { vatFrom: day, vatTo: day, employeesFrom: day, employeesTo: day };
  for (const timezone of ['Europe/Tallinn', 'America/New_York', 'Pacific/Auckland']) {
    const instant = DateTime.fromISO(`${day}T12:00`, { zone: timezone }).toISO() ?? '';
    const input = [{ json: { date: `${day}T00:00:00`, instant } }];
    const result = await runAction(sandbox(), parameters(id, fields), { input, timezone });
    expect(jsonOf(result)).toEqual([expect.objectContaining(sent)]);
  }
});

test('a dry run saves nothing and outputs the changes before and after', async () => {
  const [{ id }] = await companies();
  const before = await read(id);
  const result = await runAction(sandbox(), parameters(id, { legalForm: 'AS' }, { dryRun: true }));
  expect(jsonOf(result)).toEqual([
    {
      dryRun: true,
      changes: [{ path: 'legalForm', before: before.legalForm, after: 'AS' }],
      result: { ...before, legalForm: 'AS', updatedAt: expect.any(String) },
    },
  ]);
  expect(await lastPatch()).toMatchObject({ query: { dryRun: 'true' } });
  expect(await read(id)).toEqual(before);
});

test('a dry run and the update after it may have the same Idempotency Key', async () => {
  const [{ id }] = await companies();
  const options = { idempotencyKey: 'order-7' };
  const tried = await runAction(
    sandbox(),
    parameters(id, { legalForm: 'AS' }, { dryRun: '={{ "true" }}', options, simplify: true }),
  );
  expect(jsonOf(tried)).toEqual([
    expect.objectContaining({
      dryRun: true,
      result: expect.not.objectContaining({ createdAt: expect.anything() }),
    }),
  ]);
  expect(await lastPatch()).toMatchObject({ headers: { 'idempotency-key': 'order-7:dryRun' } });
  jsonOf(await runAction(sandbox(), parameters(id, { legalForm: 'AS' }, { options })));
  expect(await lastPatch()).toMatchObject({ headers: { 'idempotency-key': 'order-7' }, status: 200 });
  expect(await read(id)).toMatchObject({ legalForm: 'AS' });
});

test('refuses a Dry Run that is neither yes nor no', async () => {
  const [{ id }] = await companies();
  const { error } = await runAction(
    sandbox(),
    parameters(id, { legalForm: 'AS' }, { dryRun: '={{ "maybe" }}' }),
  );
  expect(error?.message).toBe('Dry Run must be true or false, not "maybe". [item 0]');
  expect(await lastPatch()).toBeUndefined();
});

test('takes each value from its own item, and writes to one company in the order of the items', async () => {
  const [first, second] = await companies();
  const ids = [first.id, second.id, first.id, first.id];
  const input = ids.map((id, index) => ({ json: { id: ` ${id} `, name: `Name ${index}` } }));
  const chosen = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
  const result = await runAction(
    sandbox(),
    parameters('', { shortName: '={{ $json.name }}' }, { companyId: chosen }),
    { input },
  );
  expect(jsonOf(result)).toEqual(
    ids.map((id, index) => expect.objectContaining({ id, shortName: `Name ${index}` })),
  );
  expect(result.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
    [0, 1, 2, 3].map((item) => ({ item })),
  );
  expect((await read(first.id)).shortName).toBe('Name 3');
});

test('goes on after an item that the agency or the node refuses', async () => {
  const [{ id }] = await companies();
  const input = [
    { json: { id, period: 'monthly' } },
    { json: { id: 'nobody', period: 'monthly' } },
    { json: { id, period: 'yearly' } },
    { json: { id, period: 'quarterly' } },
  ];
  const chosen = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
  const { outputs } = await runAction(
    sandbox(),
    parameters('', { vatPeriod: '={{ $json.period }}' }, { companyId: chosen }),
    { input, onError: 'continueErrorOutput' },
  );
  expect(outputs[0]?.map(({ json }) => json.vatPeriod)).toEqual(['monthly', 'quarterly']);
  expect(outputs[1]?.map(({ json }) => json)).toEqual([
    expect.objectContaining({ details: expect.objectContaining({ code: 'NOT_FOUND', status: 404 }) }),
    expect.objectContaining({ error: 'VAT Period cannot be "yearly".' }),
  ]);
});

test('needs a company', async () => {
  const companyId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
  const { error } = await runAction(sandbox(), parameters('', { shortName: 'x' }, { companyId }));
  expect(error?.message).toBe('Company is empty. [item 0]');
});
