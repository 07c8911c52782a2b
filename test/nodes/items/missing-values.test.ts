import type { IDataObject } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action/action';
import { everyField } from '../../support/action/every-field';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });

/** Filters have a message of their own. */
const everywhere = (entered: string) =>
  everyField(entered)
    .filter(({ parameters }) => parameters.filters === undefined)
    .map(({ title, label, parameters }) => [title, label, parameters] as const);

test.each(everywhere('={{ $json.missing }}'))(
  '%s with an expression that gives nothing is refused by field and item, before anything is sent',
  async (_, label, parameters) => {
    const { error } = await runAction(sandbox(), parameters);
    expect(error?.message).toBe(`${label} is an expression that returns nothing for this item. [item 0]`);
    expect(error?.description).toContain('Check the names of the fields in the expression');
    expect(await sandbox().requests()).toEqual([]);
  },
);

const SAFETY = ['Dry Run', 'Idempotency Key', 'Approval ID'];

describe.each(['={{ null }}', '={{ "" }}'])('%s', (entered) => {
  test.each(everywhere(entered).filter(([, label]) => SAFETY.includes(label)))(
    'switches nothing off that protects: %s',
    async (_, label, parameters) => {
      const { error } = await runAction(sandbox(), parameters);
      expect(error?.message).toBe(`${label} is an expression that returns nothing for this item. [item 0]`);
      expect(await sandbox().requests()).toEqual([]);
    },
  );
});

test('one item without the value leaves the others their work', async () => {
  const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/companies' });
  const [{ id } = { id: '' }] = body.data;
  const items: IDataObject[] = [{ address: 'Pikk 12' }, { adress: 'typo' }, { address: null }];
  const result = await runAction(
    sandbox(),
    {
      resource: 'company',
      operation: 'update',
      companyId: { __rl: true, mode: 'id', value: id },
      updateFields: { address: '={{ $json.address }}' },
      output: 'all',
    },
    { input: items.map((json) => ({ json })), onError: 'continueErrorOutput' },
  );
  expect(jsonOf(result)).toMatchObject([{ address: 'Pikk 12' }, { address: null }]);
  expect(result.outputs[1]).toMatchObject([
    {
      json: { error: 'Address is an expression that returns nothing for this item.' },
      pairedItem: { item: 1 },
    },
  ]);
});
