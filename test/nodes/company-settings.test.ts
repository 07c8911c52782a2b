import type { INodeParameters } from 'n8n-workflow';
import type { Records } from '../../nodes/shared/api/types';
import { jsonOf, loggedBody, runAction } from '../support/action';
import { companyById, readSettings, settingsWhere } from '../support/company';
import { useSandbox } from '../support/sandbox';

const sandbox = useSandbox({ documents: 30 });

type Settings = Records['CompanySettings'];

const exported = async () => await settingsWhere(sandbox(), (settings) => settings.export !== null);

const update = (id: string, fields: INodeParameters): INodeParameters => ({
  resource: 'companySettings',
  operation: 'update',
  companyId: companyById(id),
  ...fields,
});

/** The requests of the node: method and body of those to the settings since the test read them last. */
async function sent(after = 0) {
  return (await sandbox().requests()).slice(after).map(({ method, query, bodyLength, bodySha256 }) => ({
    method,
    query,
    bodyLength,
    bodySha256,
  }));
}

const count = async () => (await sandbox().requests()).length;

test('Get outputs the settings as they are', async () => {
  const settings = await exported();
  const before = await count();
  const parameters = {
    resource: 'companySettings',
    operation: 'get',
    companyId: companyById(settings.companyId),
  };
  expect(jsonOf(await runAction(sandbox(), parameters))).toEqual([settings]);
  const [request] = (await sandbox().requests()).slice(before);
  expect(request).toMatchObject({ method: 'GET', path: `/api/v1/companies/${settings.companyId}/settings` });
});

test('sends export settings that are set whole without reading anything', async () => {
  const { companyId } = await exported();
  const before = await count();
  const fields = { baseCurrency: 'eur', companyCountryCode: 'fi', xmlImportParameter: 'NEW' };
  const result = await runAction(sandbox(), update(companyId, { export: fields }));
  const whole = { baseCurrency: 'EUR', companyCountryCode: 'FI', xmlImportParameter: 'NEW' };
  expect(jsonOf(result)).toEqual([expect.objectContaining({ companyId, export: whole })]);
  expect(await sent(before)).toEqual([
    expect.objectContaining({ method: 'PATCH', ...loggedBody({ export: whole }) }),
  ]);
});

test('fills export settings up from the current ones', async () => {
  const settings = await exported();
  const { companyId } = settings;
  const before = await count();
  const result = await runAction(sandbox(), update(companyId, { export: { xmlImportParameter: 'NEW' } }));
  const whole = { ...settings.export, xmlImportParameter: 'NEW' };
  expect(jsonOf(result)).toEqual([{ ...settings, export: whole }]);
  expect(await sent(before)).toEqual([
    expect.objectContaining({ method: 'GET' }),
    expect.objectContaining({ method: 'PATCH', ...loggedBody({ export: whole }) }),
  ]);
});

test('asks for the other export settings when there are none to fill up from', async () => {
  const { companyId } = await settingsWhere(sandbox(), (settings) => settings.export === null);
  const { error } = await runAction(sandbox(), update(companyId, { export: { baseCurrency: 'EUR' } }));
  expect(error?.message).toBe(
    'Export Settings of this company are not set yet, so Company Country Code and XML Import Parameter must be given too. [item 0]',
  );
});

test('sends the five policy fields whole, what is not set as it is now', async () => {
  const settings = await exported();
  const { companyId } = settings;
  const accountingPolicy = {
    vatClass: { required: 'true', automatic: 'keep', defaultValue: 'none' },
    journal: {
      required: 'keep',
      automatic: '={{ $json.automatic }}',
      defaultValue: 'set',
      kind: 'journal',
      catalogEntryId: 32,
      code: ' J2 ',
      label: 'Ostupäevik',
    },
    type: { required: 'keep', automatic: 'keep', defaultValue: 'keep' },
  };
  const fields = settings.accountingPolicy.fields.map((field) => {
    if (field.field === 'vatClass') return { ...field, required: true, defaultValue: null };
    if (field.field !== 'journal') return field;
    const defaultValue = { kind: 'journal', catalogEntryId: 32, code: 'J2', label: 'Ostupäevik' };
    return { ...field, automatic: false, defaultValue };
  });
  const before = await count();
  const input = [{ json: { automatic: false } }];
  const result = await runAction(sandbox(), update(companyId, { accountingPolicy }), { input });
  expect(jsonOf(result)).toEqual([{ ...settings, accountingPolicy: { configured: true, fields } }]);
  expect(await sent(before)).toEqual([
    expect.objectContaining({ method: 'GET' }),
    expect.objectContaining({ method: 'PATCH', ...loggedBody({ accountingPolicy: { fields } }) }),
  ]);
});

test('reads nothing when every policy field is set', async () => {
  const { companyId } = await exported();
  const row = { required: 'false', automatic: 'true', defaultValue: 'none' };
  const names = ['warehouse', 'type', 'journal', 'allocation', 'vatClass'];
  const before = await count();
  const result = await runAction(
    sandbox(),
    update(companyId, { accountingPolicy: Object.fromEntries(names.map((name) => [name, row])) }),
  );
  const fields = names.map((field) => ({ field, required: false, automatic: true, defaultValue: null }));
  expect(jsonOf(result)).toEqual([
    expect.objectContaining({ accountingPolicy: { configured: true, fields } }),
  ]);
  expect(await sent(before)).toEqual([
    expect.objectContaining({ method: 'PATCH', ...loggedBody({ accountingPolicy: { fields } }) }),
  ]);
});

test('a dry run outputs the changes of all three parts, saves nothing and asks for no approval', async () => {
  const settings = await exported();
  const { companyId, agent } = settings;
  const fields = {
    dryRun: true,
    export: { baseCurrency: 'SEK' },
    accountingPolicy: { warehouse: { required: 'keep', automatic: 'keep', defaultValue: 'none' } },
    agent: {
      mcpEnabled: !agent.mcpEnabled,
      accountingSystemWritePolicy: agent.accountingSystemWritePolicy,
    },
  };
  const before = await count();
  const [preview] = jsonOf(await runAction(sandbox(), update(companyId, fields)));
  expect(preview).toMatchObject({
    dryRun: true,
    changes: expect.arrayContaining([
      { path: 'export.baseCurrency', before: 'EUR', after: 'SEK' },
      { path: 'agent.mcpEnabled', before: agent.mcpEnabled, after: !agent.mcpEnabled },
    ]),
    result: { companyId, export: { baseCurrency: 'SEK' } },
  });
  expect((await sent(before)).map(({ method, query }) => [method, query])).toEqual([
    ['GET', {}],
    ['PATCH', { dryRun: 'true' }],
  ]);
  expect(await readSettings(sandbox(), companyId)).toEqual(settings);
});

test('sends only the agent switches that were added; equal ones need no approval', async () => {
  const settings = await exported();
  const { companyId, agent } = settings;
  const switches = {
    documentReview: agent.documentReview,
    accountingData: agent.accountingData,
    accountingSystemWritePolicy: agent.accountingSystemWritePolicy,
  };
  const before = await count();
  const given = { ...switches, accountingData: String(agent.accountingData) };
  expect(jsonOf(await runAction(sandbox(), update(companyId, { agent: given })))).toEqual([settings]);
  const [request] = await sent(before);
  const { accountingData, accountingSystemWritePolicy, documentReview } = switches;
  expect(request).toMatchObject(
    loggedBody({ agent: { accountingData, accountingSystemWritePolicy, documentReview } }),
  );
});

test('refuses what the API would not take, by name and before any request', async () => {
  const { companyId } = await exported();
  const row = (more: INodeParameters) => ({
    accountingPolicy: {
      vatClass: {
        required: 'keep',
        automatic: 'keep',
        defaultValue: 'set',
        kind: 'vat_class',
        catalogEntryId: 1,
        code: 'KM',
        label: 'KM',
        ...more,
      },
    },
  });
  const refused: Array<[INodeParameters, string]> = [
    [{}, 'Company Settings: Update holds no field to change.'],
    [
      { accountingPolicy: { type: { required: 'keep', automatic: 'keep', defaultValue: 'keep' } } },
      'Company Settings: Update holds no field to change.',
    ],
    [{ export: { baseCurrency: 'EURO' } }, 'Base Currency must be 3 letters from A to Z, not "EURO".'],
    [
      { export: { companyCountryCode: 'Ä1' } },
      'Company Country Code must be 2 letters from A to Z, not "Ä1".',
    ],
    [{ export: { xmlImportParameter: '' } }, 'XML Import Parameter is empty.'],
    [{ agent: { mcpEnabled: '={{ "on" }}' } }, 'MCP Enabled must be true or false, not "on".'],
    [{ agent: { documentReview: '={{ "" }}' } }, 'Document Review is empty.'],
    [
      { agent: { accountingSystemWritePolicy: '={{ "always" }}' } },
      'Accounting System Write Policy cannot be "always".',
    ],
    [row({ kind: '={{ "car" }}' }), 'VAT Class: Kind cannot be "car".'],
    [
      row({ catalogEntryId: 0 }),
      'VAT Class: Catalog Entry ID must be a whole number from 1 to 9007199254740991.',
    ],
    [row({ code: ' ' }), 'VAT Class: Code is empty.'],
    [row({ label: '' }), 'VAT Class: Label is empty.'],
    [row({ defaultValue: '={{ "some" }}' }), 'VAT Class: Default Value cannot be "some".'],
    [row({ required: '={{ "maybe" }}' }), 'VAT Class: Required must be true or false, not "maybe".'],
  ];
  const before = await count();
  for (const [fields, message] of refused) {
    const { error } = await runAction(sandbox(), update(companyId, fields));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await sent(before)).toEqual([]);
});

test('leaves out what a language model left empty', async () => {
  const settings = await exported();
  const { companyId } = settings;
  const fields = {
    export: {
      baseCurrency: "={{ $fromAI('currency', '', 'string') }}",
      xmlImportParameter: "={{ $fromAI('parameter', '', 'string') }}",
    },
    agent: { mcpEnabled: "={{ $fromAI('mcp', '', 'boolean') }}" },
  };
  const input = [{ json: { currency: '', parameter: 'FROM_AI' } }];
  expect(jsonOf(await runAction(sandbox(), update(companyId, fields), { input }))).toEqual([
    { ...settings, export: { ...settings.export, xmlImportParameter: 'FROM_AI' } },
  ]);
});

test('each item builds on what the item before has made of the same company', async () => {
  const { companyId } = await exported();
  const input = ['warehouse', 'type', 'journal'].map((field) => ({ json: { field } }));
  const row = (field: string) => ({
    required: `={{ $json.field === '${field}' ? 'true' : 'keep' }}`,
    automatic: 'keep',
    defaultValue: 'keep',
  });
  const accountingPolicy = { warehouse: row('warehouse'), type: row('type'), journal: row('journal') };
  jsonOf(await runAction(sandbox(), update(companyId, { accountingPolicy }), { input }));
  const { fields } = (await readSettings(sandbox(), companyId)).accountingPolicy;
  expect(fields.slice(0, 3).map(({ required }) => required)).toEqual([true, true, true]);
});

test('goes on after an item that does not work', async () => {
  const { companyId } = await exported();
  const input = [{ json: { id: 'nobody' } }, { json: { id: companyId } }];
  const fields = { companyId: companyById('={{ $json.id }}'), export: { xmlImportParameter: 'X' } };
  const { outputs } = await runAction(sandbox(), update('', fields), {
    input,
    onError: 'continueErrorOutput',
  });
  expect(outputs[0]?.map(({ json }) => json)).toEqual([
    expect.objectContaining<Partial<Settings>>({ companyId }),
  ]);
  expect(outputs[1]?.map(({ json }) => json.details)).toEqual([
    expect.objectContaining({ code: 'NOT_FOUND' }),
  ]);
});
