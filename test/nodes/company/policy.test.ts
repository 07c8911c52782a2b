import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, loggedBody, runAction } from '../../support/action/action';
import { readSettings } from '../../support/action/company';
import { useSandbox } from '../../support/sandbox/sandbox';
import { exportedSettings, requestCount, sentAfter, settingsUpdate } from '../../support/action/settings';

const sandbox = useSandbox({ documents: 30 });

test('sends the five policy fields whole, what is not set as it is now', async () => {
  const settings = await exportedSettings(sandbox());
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
  const before = await requestCount(sandbox());
  const input = [{ json: { automatic: false } }];
  const result = await runAction(sandbox(), settingsUpdate(companyId, { accountingPolicy }), { input });
  expect(jsonOf(result)).toEqual([{ ...settings, accountingPolicy: { configured: true, fields } }]);
  expect(await sentAfter(sandbox(), before)).toEqual([
    expect.objectContaining({ method: 'GET' }),
    expect.objectContaining({ method: 'PATCH', ...loggedBody({ accountingPolicy: { fields } }) }),
  ]);
});

test('reads nothing when every policy field is set', async () => {
  const { companyId } = await exportedSettings(sandbox());
  const row = { required: 'false', automatic: 'true', defaultValue: 'none' };
  const names = ['warehouse', 'type', 'journal', 'allocation', 'vatClass'];
  const before = await requestCount(sandbox());
  const result = await runAction(
    sandbox(),
    settingsUpdate(companyId, { accountingPolicy: Object.fromEntries(names.map((name) => [name, row])) }),
  );
  const fields = names.map((field) => ({ field, required: false, automatic: true, defaultValue: null }));
  expect(jsonOf(result)).toEqual([
    expect.objectContaining({ accountingPolicy: { configured: true, fields } }),
  ]);
  expect(await sentAfter(sandbox(), before)).toEqual([
    expect.objectContaining({ method: 'PATCH', ...loggedBody({ accountingPolicy: { fields } }) }),
  ]);
});

test.each([
  ['Catalog Entry ID', 'catalogEntryId', [undefined, 0, '', '={{ null }}']],
  ['Code', 'code', [undefined, '', '={{ null }}']],
  ['Label', 'label', [undefined, '', '={{ null }}']],
])('asks for the %s of a default value that was forgotten', async (label, name, forgotten) => {
  const { companyId } = await exportedSettings(sandbox());
  const whole = { kind: 'journal', catalogEntryId: 32, code: 'J2', label: 'Ostupäevik' };
  const before = await requestCount(sandbox());
  for (const value of forgotten) {
    const others = Object.entries(whole).filter(([other]) => other !== name);
    const journal: INodeParameters = {
      defaultValue: 'set',
      ...Object.fromEntries(others),
      ...(value !== undefined && { [name]: value }),
    };
    const { error } = await runAction(
      sandbox(),
      settingsUpdate(companyId, { accountingPolicy: { journal } }),
    );
    expect(error?.message).toBe(`Journal: ${label} is empty. [item 0]`);
  }
  expect(await requestCount(sandbox())).toBe(before);
});

test('each item builds on what the item before has made of the same company', async () => {
  const { companyId } = await exportedSettings(sandbox());
  const input = ['warehouse', 'type', 'journal'].map((field) => ({ json: { field } }));
  const row = (field: string) => ({
    required: `={{ $json.field === '${field}' ? 'true' : 'keep' }}`,
    automatic: 'keep',
    defaultValue: 'keep',
  });
  const accountingPolicy = { warehouse: row('warehouse'), type: row('type'), journal: row('journal') };
  jsonOf(await runAction(sandbox(), settingsUpdate(companyId, { accountingPolicy }), { input }));
  const { fields } = (await readSettings(sandbox(), companyId)).accountingPolicy;
  expect(fields.slice(0, 3).map(({ required }) => required)).toEqual([true, true, true]);
});
