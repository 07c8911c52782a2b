import type {
  INodeParameters,
  INodeProperties,
  INodePropertyCollection,
  INodePropertyOptions,
} from 'n8n-workflow';
import { deepCopy, displayParameter } from 'n8n-workflow';
import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { AccountingAgency } from '../../../nodes/AccountingAgency/AccountingAgency.node';
import { jsonOf, runAction } from '../../support/action/action';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

/** The variant of the node that n8n makes for AI agents: its name and display name get an ending. */
function toolVariant(): AccountingAgency {
  const node = new AccountingAgency();
  const description = deepCopy(node.description);
  return Object.assign(node, {
    description: {
      ...description,
      name: `${description.name}Tool`,
      displayName: `${description.displayName} Tool`,
    },
  });
}

const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;
const isField = (option: object): option is INodeProperties => 'type' in option;

/** A field with all fields inside of it, each by its path. */
function withInner(field: INodeProperties, path = field.displayName): Array<[string, INodeProperties]> {
  const inner = (field.options ?? []).flatMap((option) => {
    if (isGroup(option)) return option.values;
    return isField(option) ? [option] : [];
  });
  return [[path, field], ...inner.flatMap((one) => withInner(one, `${path} > ${one.displayName}`))];
}

/** The entries of a field's dropdown. */
const choices = ({ type, options = [] }: INodeProperties): INodePropertyOptions[] =>
  ['options', 'multiOptions'].includes(type)
    ? options.filter((option): option is INodePropertyOptions => !isField(option) && !isGroup(option))
    : [];

const { description } = new AccountingAgency();
const fields = description.properties.flatMap((field) => withInner(field));

test('is usable as a tool', () => {
  expect(description.usableAsTool).toBe(true);
});

test.each(
  RESOURCES.flatMap((resource) => resource.operations.map((one) => [resource.name, one.name, one] as const)),
)('%s: %s tells what it does', (_, __, { action, description: words }) => {
  expect(action).toMatch(/^[A-Z][^.]{5,}$/);
  expect(words).toMatch(/^[A-Z].{20,}/);
});

test('every field tells what it is for and what it takes', () => {
  const silent = fields.filter(([, { type, name, description: words = '', hint = '' }]) => {
    const tells = words !== '' || hint !== '';
    return !tells && !['notice', 'collection'].includes(type) && !['resource', 'operation'].includes(name);
  });
  expect(silent.map(([path]) => path)).toEqual([]);
});

test('every field that takes any text says more than its name', () => {
  const poor = fields.filter(
    ([, { type, displayName, description: words = '', hint = '' }]) =>
      ['string', 'json', 'dateTime', 'number'].includes(type) &&
      `${words}${hint}`.toLowerCase() === displayName.toLowerCase(),
  );
  expect(poor.map(([path]) => path)).toEqual([]);
});

test('every resource and operation of the dropdowns has words', () => {
  const silent = fields.flatMap(([path, field]) =>
    ['resource', 'operation'].includes(field.name)
      ? choices(field)
          .filter((one) => !one.description)
          .map(({ name }) => `${path} > ${name}`)
      : [],
  );
  expect(silent).toEqual([]);
});

function offered(node: AccountingAgency): unknown[] {
  const field = node.description.properties.find(({ name }) => name === 'resource');
  const shown = ({ displayOptions }: INodePropertyOptions) =>
    displayParameter(
      {},
      { displayName: '', name: '', type: 'options', default: '', displayOptions },
      null,
      node.description,
    );
  return (field ? choices(field) : []).filter(shown).map(({ value }) => value);
}

test('webhook endpoints are offered to people, and to no AI agent', () => {
  const all = RESOURCES.map(({ value }) => value);
  expect(offered(new AccountingAgency())).toEqual(all);
  expect(offered(toolVariant())).toEqual(all.filter((value) => value !== 'webhookEndpoint'));
});

/** The operations of a resource that the editor offers in a node, and the one that is chosen at first. */
function offeredOperations({ description: type }: AccountingAgency, resource: string) {
  const [field, ...others] = type.properties.filter(
    (one) => one.name === 'operation' && displayParameter({ resource }, one, null, type),
  );
  expect(others).toEqual([]);
  return { values: field ? choices(field).map(({ value }) => value) : [], first: field?.default };
}

test.each(RESOURCES.filter(({ hiddenFromTools }) => !hiddenFromTools))(
  'operations of $name are all offered to people, and to AI agents all but uploads',
  ({ value: resource, operations }) => {
    const all = operations.map(({ value }) => value);
    const forPeople = offeredOperations(new AccountingAgency(), resource);
    expect(forPeople.values).toEqual(all);
    const forTools = offeredOperations(toolVariant(), resource);
    expect(forTools.values).toEqual(all.filter((value) => value !== 'upload'));
    expect(forTools.values).toContain(forTools.first);
    expect(forPeople.values).toContain(forPeople.first);
  },
);

test.each(['document', 'file'])(
  'a tool that was set to %s: upload all the same is told the way before any request',
  async (resource) => {
    const parameters: INodeParameters = {
      resource,
      operation: 'upload',
      companyId: { __rl: true, mode: 'id', value: 'some' },
      binaryPropertyName: 'data',
    };
    const { error } = await runAction(sandbox(), parameters, { type: toolVariant() });
    expect(error?.message).toBe('AI agents cannot upload files, because they cannot pass files to tools.');
    expect(error?.description).toContain('Upload in the workflow itself');
    expect(await sandbox().requests()).toEqual([]);
  },
);

test('a tool that was set to webhook endpoints all the same is refused before any request', async () => {
  const parameters: INodeParameters = {
    resource: 'webhookEndpoint',
    operation: 'create',
    url: 'https://127.0.0.1:1/agency',
  };
  const { error } = await runAction(sandbox(), parameters, { type: toolVariant() });
  expect(error?.message).toBe('Webhook endpoints are not for AI agents.');
  expect(error?.description).toContain('secret must not reach a model');
  expect(await sandbox().requests()).toEqual([]);
});

test('the tool variant carries out what the node does', async () => {
  const result = await runAction(
    sandbox(),
    { resource: 'company', operation: 'getAll', limit: 1 },
    { type: toolVariant() },
  );
  expect(jsonOf(result)).toHaveLength(1);
});
