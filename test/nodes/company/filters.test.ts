import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { jsonOf, runAction } from '../../support/action/action';
import { companyById } from '../../support/action/company';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30 });

const isField = (option: object): option is INodeProperties => 'type' in option;

/** Every filter of every list: its resource and operation, and the field itself. */
const filters = RESOURCES.flatMap(({ value: resource, operations }) =>
  operations.flatMap(({ value: operation, fields }) =>
    fields
      .filter(({ name }) => name === 'filters')
      .flatMap(({ options = [] }) => options.filter(isField))
      .map((field) => [`${resource}: ${field.displayName}`, { resource, operation, field }] as const),
  ),
);

const listBy = (
  { resource, operation, field }: (typeof filters)[number][1],
  entered: string,
): INodeParameters => ({
  resource,
  operation,
  period: '2026-10',
  limit: 1,
  filters: { [field.name]: field.type === 'resourceLocator' ? companyById(entered) : entered },
});

/** What arrived at the agency besides the page size and the period that is always given. */
const asked = async () =>
  (await sandbox().requests()).map(({ query }) =>
    Object.fromEntries(Object.entries(query).filter(([name]) => !['limit', 'period'].includes(name))),
  );

test('the lists have filters', () => {
  expect(filters.map(([label]) => label)).toEqual([
    'monthEndWork: Assignee User ID',
    'monthEndWork: Company',
    'monthEndWork: Due Within (Days)',
    'monthEndWork: Overdue Only',
    'monthEndWork: Status',
    'monthEndWork: Assignee User ID',
    'monthEndWork: Company',
    'monthEndWork: Status',
    'document: Company',
    'document: Received Since',
    'document: Received Before',
    'document: Stage',
    'company: Search Text',
    'event: Company',
    'event: Type',
  ]);
});

describe.each(filters)('%s', (_, filter) => {
  test.each(['={{ $json.missing }}', '={{ null }}', '={{ "" }}', '= {{ $json.empty }} '])(
    'with the expression %s for nothing is refused by name, before the list covers everything',
    async (entered) => {
      const input = [{ json: { empty: '' } }];
      const { error } = await runAction(sandbox(), listBy(filter, entered), { input });
      expect(error?.message).toBe(
        `${filter.field.displayName} is an expression that returns nothing for this item. [item 0]`,
      );
      expect(error?.description).toContain('the list would include everything');
      expect(await sandbox().requests()).toEqual([]);
    },
  );

  test.each(['', '  ', '=', "={{ $fromAI('filter', '', 'string') }}"])(
    'left blank as %p, by hand or by a model, filters nothing',
    async (entered) => {
      const input = [{ json: { filter: '' } }];
      jsonOf(await runAction(sandbox(), listBy(filter, entered), { input }));
      expect(await asked()).toEqual([{}]);
    },
  );
});

test('an expression that gives nothing for one item leaves the other items their lists', async () => {
  const { body } = await sandbox().call<{ data: Array<{ name: string }> }>({ path: '/companies' });
  const [{ name } = { name: '' }] = body.data;
  const input = [{ json: { name } }, { json: {} }];
  const parameters = {
    resource: 'company',
    operation: 'getAll',
    filters: { query: '={{ $json.name }}' },
  };
  const { outputs } = await runAction(sandbox(), parameters, { input, onError: 'continueErrorOutput' });
  expect(outputs[0]?.map(({ json }) => json.name)).toContain(name);
  expect(outputs[1]?.map(({ json, pairedItem }) => [json.error, json.details, pairedItem])).toEqual([
    [
      'Search Text is an expression that returns nothing for this item.',
      expect.objectContaining({ field: 'Search Text' }),
      { item: 1 },
    ],
  ]);
});
