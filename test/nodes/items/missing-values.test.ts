import type { IDataObject, INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { jsonOf, runAction } from '../../support/action';
import { useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });

type Option = NonNullable<INodeProperties['options']>[number];

const isField = (option: Option): option is INodeProperties => 'type' in option;
const isGroup = (option: Option): option is INodePropertyCollection => 'values' in option;

/** What the user chooses so that the editor shows a field. */
const shownBy = ({ displayOptions }: INodeProperties): INodeParameters =>
  Object.fromEntries(
    Object.entries(displayOptions?.show ?? {}).map(([name, values]) => [name, String(values?.[0])]),
  );

/** Every place of a field at which the user can enter an expression: its label, and the parameters that enter it. */
function placesOf(
  field: INodeProperties,
  entered: string,
): Array<{ label: string; parameters: INodeParameters }> {
  const { displayName: label, name, type, options = [], typeOptions } = field;
  const within = (parameters: INodeParameters, value: INodeParameters) => ({ ...parameters, [name]: value });
  if (type === 'notice') return [];
  if (type === 'collection') {
    return options
      .filter(isField)
      .flatMap((option) => placesOf(option, entered))
      .map((place) => ({ ...place, parameters: within(shownBy(field), place.parameters) }));
  }
  if (type === 'fixedCollection') {
    return options.filter(isGroup).flatMap((group) =>
      group.values
        .flatMap((value) => placesOf(value, entered))
        .map((place) => ({
          label: `${typeOptions?.multipleValues === true ? `${group.displayName} 1` : group.displayName}: ${place.label}`,
          parameters: within(shownBy(field), {
            [group.name]: typeOptions?.multipleValues === true ? [place.parameters] : place.parameters,
          }),
        })),
    );
  }
  const value = type === 'resourceLocator' ? { __rl: true, mode: 'id', value: entered } : entered;
  return [{ label, parameters: { ...shownBy(field), [name]: value } }];
}

/** The fields that n8n itself asks for before it runs the node. */
const requiredOf = (fields: INodeProperties[]): INodeParameters =>
  Object.fromEntries(
    fields
      .filter(({ required }) => required === true)
      .map(({ name, type, default: value }) => [
        name,
        type === 'resourceLocator'
          ? { __rl: true, mode: 'id', value: 'some' }
          : type === 'string'
            ? 'some'
            : value,
      ]),
  );

const everywhere = (entered: string) =>
  RESOURCES.flatMap(({ value: resource, operations }) =>
    operations.flatMap(({ value: operation, fields, options = [] }) => {
      const collection: INodeProperties = {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        default: {},
        options,
      };
      return [...fields.filter(({ name }) => name !== 'filters'), collection]
        .flatMap((field) => placesOf(field, entered))
        .map(({ label, parameters }) => {
          const all = { resource, operation, ...requiredOf(fields), ...parameters };
          return [`${resource}: ${operation}: ${label}`, label, all] as const;
        });
    }),
  );

/** `returnAll` is `false`, as the editor shows it, wherever a field depends on it. */
const asShown = ({ returnAll, ...parameters }: INodeParameters): INodeParameters =>
  returnAll === undefined
    ? parameters
    : { ...parameters, returnAll: returnAll === 'false' ? false : returnAll };

test.each(everywhere('={{ $json.missing }}'))(
  '%s with an expression that gives nothing is refused by field and item, before anything is sent',
  async (_, label, parameters) => {
    const { error } = await runAction(sandbox(), asShown(parameters));
    expect(error?.message).toBe(`${label} is an expression that gives nothing for this item. [item 0]`);
    expect(error?.description).toContain('Correct the expression');
    expect(await sandbox().requests()).toEqual([]);
  },
);

const SAFETY = ['Dry Run', 'Idempotency Key', 'Approval ID'];

describe.each(['={{ null }}', '={{ "" }}'])('%s', (entered) => {
  test.each(everywhere(entered).filter(([, label]) => SAFETY.includes(label)))(
    'switches nothing off that protects: %s',
    async (_, label, parameters) => {
      const { error } = await runAction(sandbox(), asShown(parameters));
      expect(error?.message).toBe(`${label} is an expression that gives nothing for this item. [item 0]`);
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
      simplify: false,
    },
    { input: items.map((json) => ({ json })), onError: 'continueErrorOutput' },
  );
  expect(jsonOf(result)).toMatchObject([{ address: 'Pikk 12' }, { address: null }]);
  expect(result.outputs[1]).toMatchObject([
    {
      json: { error: 'Address is an expression that gives nothing for this item.' },
      pairedItem: { item: 1 },
    },
  ]);
});
