import type { INode } from 'n8n-workflow';

const node = (onError: INode['onError']): INode => ({
  id: '1',
  name: 'Agency',
  type: 'accountingAgency',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
  onError,
});

/** The modules in an n8n whose `n8n-workflow` is this one, without some of its exports. */
async function modulesIn(missing: string[]) {
  jest.resetModules();
  jest.doMock('n8n-workflow', () => {
    const entries = Object.entries(jest.requireActual<object>('n8n-workflow'));
    return Object.fromEntries(entries.filter(([name]) => !missing.includes(name)));
  });
  const { errorItem } = await import('../../../nodes/AccountingAgency/engine/failed-items');
  const { InputError } = await import('../../../nodes/shared/input-error');
  return { errorItem, InputError };
}

const NEW_IN_2_34 = ['resolveSupportedCredentialActivation'];

test.each([
  ['an n8n since 2.34', [], 'continueErrorOutput', ['error', 'message', 'details']],
  ['an older n8n', NEW_IN_2_34, 'continueErrorOutput', ['error', 'message']],
  ['an older n8n', NEW_IN_2_34, 'continueRegularOutput', ['error', 'message', 'details']],
] as const)('%s (without %p) is given, for %s, an item with %p', async (_, missing, onError, keys) => {
  const { errorItem, InputError } = await modulesIn([...missing]);
  const wrong = new InputError('Company', 'is empty.', 'Choose one.');
  const { json, pairedItem } = errorItem(node(onError), wrong, 3, { json: {} });
  expect(Object.keys(json)).toEqual(keys);
  expect(json).toMatchObject({ error: 'Company is empty.' });
  expect(String(json.message)).toContain('Choose one.');
  expect(pairedItem).toEqual({ item: 3 });
});
