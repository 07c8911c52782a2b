import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { jsonOf, loggedBody, runAction } from '../../support/action/action';
import { companyById, readSettings, settingsWhere } from '../../support/action/company';
import { useSandbox } from '../../support/sandbox/sandbox';
import { exportedSettings, requestCount, sentAfter, settingsUpdate } from '../../support/action/settings';

const sandbox = useSandbox({ documents: 30 });

type Settings = Schemas['CompanySettings'];

test('Get outputs the settings as they are', async () => {
  const settings = await exportedSettings(sandbox());
  const before = await requestCount(sandbox());
  const parameters = {
    resource: 'companySettings',
    operation: 'get',
    output: 'all',
    companyId: companyById(settings.companyId),
  };
  expect(jsonOf(await runAction(sandbox(), parameters))).toEqual([settings]);
  const [request] = (await sandbox().requests()).slice(before);
  expect(request).toMatchObject({ method: 'GET', path: `/api/v1/companies/${settings.companyId}/settings` });
});

test('sends export settings that are set whole without reading anything', async () => {
  const { companyId } = await exportedSettings(sandbox());
  const before = await requestCount(sandbox());
  const fields = { baseCurrency: 'eur', companyCountryCode: 'fi', xmlImportParameter: 'NEW' };
  const result = await runAction(sandbox(), settingsUpdate(companyId, { export: fields }));
  const whole = { baseCurrency: 'EUR', companyCountryCode: 'FI', xmlImportParameter: 'NEW' };
  expect(jsonOf(result)).toEqual([expect.objectContaining({ companyId, export: whole })]);
  expect(await sentAfter(sandbox(), before)).toEqual([
    expect.objectContaining({ method: 'PATCH', ...loggedBody({ export: whole }) }),
  ]);
});

test('fills export settings up from the current ones', async () => {
  const settings = await exportedSettings(sandbox());
  const { companyId } = settings;
  const before = await requestCount(sandbox());
  const result = await runAction(
    sandbox(),
    settingsUpdate(companyId, { export: { xmlImportParameter: 'NEW' } }),
  );
  const whole = { ...settings.export, xmlImportParameter: 'NEW' };
  expect(jsonOf(result)).toEqual([{ ...settings, export: whole }]);
  expect(await sentAfter(sandbox(), before)).toEqual([
    expect.objectContaining({ method: 'GET' }),
    expect.objectContaining({ method: 'PATCH', ...loggedBody({ export: whole }) }),
  ]);
});

test('asks for the other export settings when there are none to fill up from', async () => {
  const { companyId } = await settingsWhere(sandbox(), (settings) => settings.export === null);
  const { error } = await runAction(
    sandbox(),
    settingsUpdate(companyId, { export: { baseCurrency: 'EUR' } }),
  );
  expect(error?.message).toBe(
    'Export Settings of this company are not set yet, so Company Country Code and XML Import Parameter must be added, too. [item 0]',
  );
});

test('a dry run outputs the changes of all three parts, saves nothing and asks for no approval', async () => {
  const settings = await exportedSettings(sandbox());
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
  const before = await requestCount(sandbox());
  const [preview] = jsonOf(await runAction(sandbox(), settingsUpdate(companyId, fields)));
  expect(preview).toMatchObject({
    dryRun: true,
    changes: expect.arrayContaining([
      { path: 'export.baseCurrency', before: 'EUR', after: 'SEK' },
      { path: 'agent.mcpEnabled', before: agent.mcpEnabled, after: !agent.mcpEnabled },
    ]),
    result: { companyId, export: { baseCurrency: 'SEK' } },
  });
  expect((await sentAfter(sandbox(), before)).map(({ method, query }) => [method, query])).toEqual([
    ['GET', {}],
    ['PATCH', { dryRun: 'true' }],
  ]);
  expect(await readSettings(sandbox(), companyId)).toEqual(settings);
});

test('sends only the agent switches that were added; equal ones need no approval', async () => {
  const settings = await exportedSettings(sandbox());
  const { companyId, agent } = settings;
  const switches = {
    documentReview: agent.documentReview,
    accountingData: agent.accountingData,
    accountingSystemWritePolicy: agent.accountingSystemWritePolicy,
  };
  const before = await requestCount(sandbox());
  const given = { ...switches, accountingData: String(agent.accountingData) };
  expect(jsonOf(await runAction(sandbox(), settingsUpdate(companyId, { agent: given })))).toEqual([settings]);
  const [request] = await sentAfter(sandbox(), before);
  const { accountingData, accountingSystemWritePolicy, documentReview } = switches;
  expect(request).toMatchObject(
    loggedBody({ agent: { accountingData, accountingSystemWritePolicy, documentReview } }),
  );
});

test('refuses what the API would not take, by name and before any request', async () => {
  const { companyId } = await exportedSettings(sandbox());
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
    [{}, 'Company Settings: Update is empty.'],
    [
      { accountingPolicy: { type: { required: 'keep', automatic: 'keep', defaultValue: 'keep' } } },
      'Company Settings: Update is empty.',
    ],
    [{ export: { companyCountryCode: 'ß' } }, 'Company Country Code must be 2 letters from A to Z, not "ß".'],
    [{ export: { baseCurrency: 'EURO' } }, 'Base Currency must be 3 letters from A to Z, not "EURO".'],
    [
      { export: { companyCountryCode: 'Ä1' } },
      'Company Country Code must be 2 letters from A to Z, not "Ä1".',
    ],
    [{ export: { xmlImportParameter: '' } }, 'XML Import Parameter is empty.'],
    [{ agent: { mcpEnabled: '={{ "on" }}' } }, 'MCP Access must be true or false, not "on".'],
    [{ agent: { documentReview: '={{ "" }}' } }, 'Document Review is empty.'],
    [
      { agent: { accountingSystemWritePolicy: '={{ "always" }}' } },
      'Accounting System Write Policy cannot be "always".',
    ],
    [row({ kind: '={{ "car" }}' }), 'VAT Class: Kind cannot be "car".'],
    [
      row({ catalogEntryId: -1 }),
      'VAT Class: Catalog Entry ID must be a whole number of at least 1, not "-1".',
    ],
    [row({ code: ' ' }), 'VAT Class: Code is empty.'],
    [row({ label: '' }), 'VAT Class: Label is empty.'],
    [row({ defaultValue: '={{ "some" }}' }), 'VAT Class: Default Value cannot be "some".'],
    [row({ required: '={{ "maybe" }}' }), 'VAT Class: Required must be true or false, not "maybe".'],
  ];
  const before = await requestCount(sandbox());
  for (const [fields, message] of refused) {
    const { error } = await runAction(sandbox(), settingsUpdate(companyId, fields));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await sentAfter(sandbox(), before)).toEqual([]);
});

test('leaves out what a language model left empty', async () => {
  const settings = await exportedSettings(sandbox());
  const { companyId } = settings;
  const fields = {
    export: {
      baseCurrency: "={{ $fromAI('currency', '', 'string') }}",
      xmlImportParameter: "={{ $fromAI('parameter', '', 'string') }}",
    },
    agent: { mcpEnabled: "={{ $fromAI('mcp', '', 'boolean') }}" },
  };
  const input = [{ json: { currency: '', parameter: 'FROM_AI' } }];
  expect(jsonOf(await runAction(sandbox(), settingsUpdate(companyId, fields), { input }))).toEqual([
    { ...settings, export: { ...settings.export, xmlImportParameter: 'FROM_AI' } },
  ]);
});

test('goes on after an item that does not work', async () => {
  const { companyId } = await exportedSettings(sandbox());
  const input = [{ json: { id: 'nobody' } }, { json: { id: companyId } }];
  const fields = { companyId: companyById('={{ $json.id }}'), export: { xmlImportParameter: 'X' } };
  const { outputs } = await runAction(sandbox(), settingsUpdate('', fields), {
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
