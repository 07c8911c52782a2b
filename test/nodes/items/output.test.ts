import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action/action';
import {
  companyById,
  companyUpdate,
  listedCompanies,
  readSettings,
  settingsWhere,
} from '../../support/action/company';
import { itemsWithFiles, pdf } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { uploadTo } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 30 });

const list = (more: INodeParameters): INodeParameters => ({
  resource: 'company',
  operation: 'getAll',
  limit: 2,
  ...more,
});

const keysOf = (json: unknown) => Object.keys(Object(json));

test('is simplified unless something else is chosen: ten fields, the name first and the ID last', async () => {
  const made = jsonOf(await runAction(sandbox(), list({})));
  const keys = keysOf(made[0]);
  expect(keys).toHaveLength(10);
  expect([keys.at(0), keys.at(-1)]).toEqual(['name', 'id']);
});

test('holds all fields as the agency gives them', async () => {
  const made = jsonOf(await runAction(sandbox(), list({ output: 'all' })));
  expect(made).toEqual((await listedCompanies(sandbox())).slice(0, 2));
});

test.each([
  ['a list', ['vatCode', 'name']],
  ['a text with commas', "={{ 'vatCode, name' }}"],
  ['a JSON list', '={{ ["vatCode", "name"] }}'],
])(
  'holds the selected fields alone, given as %s, in the order in which people read them',
  async (_, fields) => {
    const made = jsonOf(await runAction(sandbox(), list({ output: 'selected', fields })));
    const expected = (await listedCompanies(sandbox())).slice(0, 2);
    expect(made).toEqual(expected.map(({ name, vatCode }) => ({ name, vatCode })));
    expect(keysOf(made[0])).toEqual(['name', 'vatCode']);
  },
);

test('refuses an output or a field that does not exist before anything is written', async () => {
  const [{ id }] = await listedCompanies(sandbox());
  const refused: Array<[INodeParameters, string]> = [
    [{ output: '={{ "short" }}' }, 'Output cannot be "short".'],
    [{ output: 'selected', fields: '={{ "name, color" }}' }, 'Fields cannot be "color".'],
    [{ output: 'selected', fields: [] }, 'Fields is empty.'],
    [
      { output: 'selected', fields: '={{ $json.missing }}' },
      'Fields is an expression that returns nothing for this item.',
    ],
  ];
  for (const [more, message] of refused) {
    const { error } = await runAction(sandbox(), companyUpdate(id, { shortName: 'x' }, more));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  const writes = (await sandbox().requests()).filter(({ method }) => method !== 'GET');
  expect(writes).toEqual([]);
});

test('always holds what the item has just changed', async () => {
  const [{ id, name }] = await listedCompanies(sandbox());
  const change = { serviceStoppedReason: 'Sold' };
  const short = jsonOf(await runAction(sandbox(), companyUpdate(id, change, { output: 'simplified' })));
  expect(short).toEqual([expect.objectContaining({ ...change, id, name })]);
  const selected = { output: 'selected', fields: ['name'] };
  expect(jsonOf(await runAction(sandbox(), companyUpdate(id, change, selected)))).toEqual([
    { ...change, name },
  ]);
});

test('settings come out flat, and what was changed whole', async () => {
  const { companyId, export: before } = await settingsWhere(sandbox(), (one) => one.export !== null);
  const parameters = { resource: 'companySettings', companyId: companyById(companyId) };
  const exported = { xmlImportParameter: 'X1' };
  const [updated] = jsonOf(
    await runAction(sandbox(), { ...parameters, operation: 'update', export: exported }),
  );
  expect(updated).toMatchObject({ ...before, ...exported, companyId });
  const [read] = jsonOf(await runAction(sandbox(), { ...parameters, operation: 'get' }));
  const { agent } = await readSettings(sandbox(), companyId);
  expect(read).toMatchObject({ baseCurrency: before?.baseCurrency, mcpEnabled: agent.mcpEnabled });
  expect(keysOf(read)).not.toContain('agent');
});

test('names the company of an uploaded document, which the run has read before', async () => {
  const [{ id, name }] = await listedCompanies(sandbox());
  const input = itemsWithFiles({ files: { data: { bytes: pdf('a'), name: 'arve.pdf' } } });
  for (const output of ['simplified', 'all']) {
    const [made] = jsonOf(await runAction(sandbox(), uploadTo(id, { output }), { input }));
    expect(made).toMatchObject({ companyId: id, companyName: name });
  }
});

test('a dry run gives one item for each change on request', async () => {
  const [{ id, name, legalForm }] = await listedCompanies(sandbox());
  const changes = { legalForm: legalForm === 'AS' ? 'OÜ' : 'AS', directorName: 'Mari Õunapuu' };
  const dryRun = { dryRun: true, dryRunOutput: 'changes' };
  const result = await runAction(sandbox(), companyUpdate(id, changes, dryRun));
  const company = { dryRun: true, companyName: name, companyId: id };
  expect(jsonOf(result)).toEqual(
    expect.arrayContaining([
      { ...company, path: 'legalForm', before: legalForm, after: changes.legalForm },
      expect.objectContaining({ ...company, path: 'directorName', after: 'Mari Õunapuu' }),
    ]),
  );
  expect(result.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
  const same = companyUpdate(id, { legalForm: legalForm ?? '' }, dryRun);
  expect(jsonOf(await runAction(sandbox(), same))).toEqual([]);
});

test('a dry run of settings gives one item for each change, with the name of the company that the run knows', async () => {
  const { companyId, export: before } = await settingsWhere(sandbox(), (one) => one.export !== null);
  const companies = await listedCompanies(sandbox());
  const { name, registrationCode } = companies.find(({ id }) => id === companyId) ?? {};
  const update = {
    resource: 'companySettings',
    operation: 'update',
    companyId: { __rl: true, mode: 'code', value: String(registrationCode) },
    export: { xmlImportParameter: 'X1', companyCountryCode: before?.companyCountryCode ?? 'EE' },
    dryRun: true,
    dryRunOutput: 'changes',
  };
  expect(jsonOf(await runAction(sandbox(), update))).toEqual([
    {
      dryRun: true,
      path: 'export.xmlImportParameter',
      before: before?.xmlImportParameter ?? null,
      after: 'X1',
      companyName: name,
      companyId,
    },
  ]);
  expect((await readSettings(sandbox(), companyId)).export).toEqual(before);
});
