import { DateTime } from 'luxon';
import { jsonOf, lastRequest, loggedBody, runAction } from '../../support/action/action';
import { companyById, companyUpdate, listedCompanies, readCompany } from '../../support/action/company';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30 });

test('sends the one field that was added, under a key, and outputs the company', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  const result = await runAction(sandbox(), companyUpdate(id, { legalForm: ' AS ' }));
  expect(jsonOf(result)).toEqual([await readCompany(sandbox(), id)]);
  expect(await readCompany(sandbox(), id)).toMatchObject({ legalForm: 'AS' });
  expect(result.outputs[0]?.[0]?.pairedItem).toEqual({ item: 0 });
  expect(await lastRequest(sandbox(), 'PATCH')).toMatchObject({
    path: `/api/v1/companies/${id}`,
    query: {},
    headers: { 'idempotency-key': expect.stringMatching(/^[0-9a-f]{64}$/) },
    ...loggedBody({ legalForm: 'AS' }),
  });
});

test('sends every field of the API', async () => {
  const [{ id }] = await listedCompanies(sandbox());
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
  expect(jsonOf(await runAction(sandbox(), companyUpdate(id, fields)))).toEqual([
    expect.objectContaining({ id, ...sent }),
  ]);
  expect(await lastRequest(sandbox(), 'PATCH')).toMatchObject(loggedBody(sent));
});

test('outputs the most used fields when simplified', async () => {
  const [{ id, name }] = await listedCompanies(sandbox());
  const [company] = jsonOf(
    await runAction(sandbox(), companyUpdate(id, { shortName: 'Uus' }, { output: 'simplified' })),
  );
  expect(company).toMatchObject({ id, name, shortName: 'Uus' });
  expect(company).not.toHaveProperty('createdAt');
});

test('clears texts, dates and the VAT period that were added and left empty', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  const empty = { shortName: '', vatFrom: '', vatPeriod: '', serviceStoppedReason: '  ' };
  const cleared = { shortName: null, vatFrom: null, vatPeriod: null, serviceStoppedReason: null };
  expect(jsonOf(await runAction(sandbox(), companyUpdate(id, empty)))).toEqual([
    expect.objectContaining(cleared),
  ]);
});

test('leaves out what a language model left empty', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  const before = await readCompany(sandbox(), id);
  const fields = {
    shortName: "={{ $fromAI('short', '', 'string') }}",
    legalForm: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('form', ``, 'string') }}",
    vatFrom: "={{ $fromAI('from', '', 'string') }}",
  };
  const input = [{ json: { short: '', form: 'AS', from: null } }];
  const result = await runAction(sandbox(), companyUpdate(id, fields), { input });
  expect(jsonOf(result)).toEqual([
    expect.objectContaining({ shortName: before.shortName, legalForm: 'AS', vatFrom: before.vatFrom }),
  ]);
  expect(await lastRequest(sandbox(), 'PATCH')).toMatchObject(loggedBody({ legalForm: 'AS' }));
});

test('refuses an update of nothing before any request', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  for (const fields of [{}, { shortName: "={{ $fromAI('short', '', 'string', '') }}" }]) {
    const { error } = await runAction(sandbox(), companyUpdate(id, fields));
    expect(error?.message).toBe('Update Fields is empty. [item 0]');
    expect(error?.description).toContain('Add at least one field');
  }
  expect(await lastRequest(sandbox(), 'PATCH')).toBeUndefined();
});

test('takes texts up to their bounds, and refuses longer ones by name before any request', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  const bounds: Array<[string, number, string]> = [
    ['shortName', 300, 'Short Name'],
    ['legalForm', 300, 'Legal Form'],
    ['address', 300, 'Address'],
    ['directorName', 300, 'Director Name'],
    ['serviceStoppedReason', 200, 'Service Stopped Reason'],
  ];
  const longest = Object.fromEntries(bounds.map(([name, most]) => [name, '🧾'.repeat(most)]));
  expect(jsonOf(await runAction(sandbox(), companyUpdate(id, longest)))).toEqual([
    expect.objectContaining(longest),
  ]);
  for (const [name, most, label] of bounds) {
    const { error } = await runAction(sandbox(), companyUpdate(id, { [name]: 'x'.repeat(most + 1) }));
    expect(error?.message).toBe(
      `${label} has ${most + 1} characters, but only ${most} are allowed. [item 0]`,
    );
  }
  expect((await sandbox().requests()).filter(({ method }) => method === 'PATCH')).toHaveLength(1);
});

test('refuses dates and periods that do not exist, by name and before any request', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  const refused: Array<[string, string, string]> = [
    ['vatFrom', '2024-02-30', 'VAT Liable Since is not a calendar date: "2024-02-30".'],
    ['employeesTo', 'soon', 'Employees Until is not a calendar date: "soon".'],
    ['vatPeriod', 'yearly', 'VAT Period cannot be "yearly".'],
  ];
  for (const [name, value, message] of refused) {
    const { error } = await runAction(sandbox(), companyUpdate(id, { [name]: value }));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await lastRequest(sandbox(), 'PATCH')).toBeUndefined();
});

test('sends the day that a date shows, in every time zone and also from expressions', async () => {
  const [{ id }] = await listedCompanies(sandbox());
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
    const result = await runAction(sandbox(), companyUpdate(id, fields), { input, timezone });
    expect(jsonOf(result)).toEqual([expect.objectContaining(sent)]);
  }
});

test('takes each value from its own item, and writes to one company in the order of the items', async () => {
  const [first, second] = await listedCompanies(sandbox());
  const ids = [first.id, String(second?.id), first.id, first.id];
  const input = ids.map((id, index) => ({ json: { id: ` ${id} `, name: `Name ${index}` } }));
  const chosen = companyById('={{ $json.id }}');
  const result = await runAction(
    sandbox(),
    companyUpdate('', { shortName: '={{ $json.name }}' }, { companyId: chosen }),
    { input },
  );
  expect(jsonOf(result)).toEqual(
    ids.map((id, index) => expect.objectContaining({ id, shortName: `Name ${index}` })),
  );
  expect(result.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
    [0, 1, 2, 3].map((item) => ({ item })),
  );
  expect((await readCompany(sandbox(), first.id)).shortName).toBe('Name 3');
});

test('goes on after an item that the agency or the node refuses', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  const input = [
    { json: { id, period: 'monthly' } },
    { json: { id: 'nobody', period: 'monthly' } },
    { json: { id, period: 'yearly' } },
    { json: { id, period: 'quarterly' } },
  ];
  const chosen = companyById('={{ $json.id }}');
  const { outputs } = await runAction(
    sandbox(),
    companyUpdate('', { vatPeriod: '={{ $json.period }}' }, { companyId: chosen }),
    { input, onError: 'continueErrorOutput' },
  );
  expect(outputs[0]?.map(({ json }) => json.vatPeriod)).toEqual(['monthly', 'quarterly']);
  expect(outputs[1]?.map(({ json }) => json)).toEqual([
    expect.objectContaining({ details: expect.objectContaining({ code: 'NOT_FOUND', status: 404 }) }),
    expect.objectContaining({ error: 'VAT Period cannot be "yearly".' }),
  ]);
});

test('needs a company', async () => {
  const companyId = companyById('={{ $json.id }}');
  const { error } = await runAction(sandbox(), companyUpdate('', { shortName: 'x' }, { companyId }));
  expect(error?.message).toBe('Company is an expression that returns nothing for this item. [item 0]');
});
