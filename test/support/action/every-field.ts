import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { optionsField } from '../../../nodes/shared/fields/options-field';
import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';

type Option = NonNullable<INodeProperties['options']>[number];

const isField = (option: Option): option is INodeProperties => 'type' in option;
const isGroup = (option: Option): option is INodePropertyCollection => 'values' in option;

/** What the user chooses so that the editor shows a field. */
const shownBy = ({ displayOptions }: INodeProperties): INodeParameters =>
  Object.fromEntries(
    Object.entries(displayOptions?.show ?? {}).map(([name, values]) => [name, String(values?.[0])]),
  );

/** A place at which the user can enter an expression. */
export interface Place {
  /** With the resource and the operation. */
  title: string;
  /** As messages name it. */
  label: string;
  field: INodeProperties;
  /** What enters the expression there, and everything else that the operation needs. */
  parameters: INodeParameters;
}

/** Every place of a field at which the user can enter an expression. */
function placesOf(field: INodeProperties, entered: string): Array<Omit<Place, 'title'>> {
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
        .map((place) => ({ ...place, parameters: { ...besides(group.values), ...place.parameters } }))
        .map((place) => ({
          ...place,
          label: `${typeOptions?.multipleValues === true ? `${group.displayName} 1` : group.displayName}: ${place.label}`,
          parameters: within(shownBy(field), {
            [group.name]: typeOptions?.multipleValues === true ? [place.parameters] : place.parameters,
          }),
        })),
    );
  }
  const value = type === 'resourceLocator' ? { __rl: true, mode: 'id', value: entered } : entered;
  return [{ label, field, parameters: { ...shownBy(field), [name]: value } }];
}

/** Values of the fields of a row that can be used. */
const besides = (values: INodeProperties[]): INodeParameters =>
  Object.fromEntries(
    values.map(({ name, type, default: value }) => [
      name,
      type === 'string' ? 'some' : type === 'number' ? 1 : value,
    ]),
  );

/** Values that can be used where "some" cannot. */
const USABLE: INodeParameters = {
  url: 'https://127.0.0.1:1/events',
  binaryPropertyName: 'data',
  period: '2024-03',
  version: '1',
};

/** What an operation needs besides what n8n itself asks for. */
const NEEDED: Record<string, INodeParameters> = {
  'company:update': { updateFields: { address: 'some' } },
  'companyPlaybook:append': { markdown: 'some' },
  'companyPlaybook:replace': { markdown: 'some' },
  'companySettings:update': { agent: { mcpEnabled: true } },
  'webhookEndpoint:update': { updateFields: { description: 'some' } },
};

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
            ? (USABLE[name] ?? 'some')
            : value,
      ]),
  );

/**
 * Every place of every operation at which the user can enter an expression.
 *
 * @param entered the expression
 */
export const everyField = (entered: string): Place[] =>
  RESOURCES.flatMap(({ value: resource, operations }) =>
    operations.flatMap(({ value: operation, fields, options = [] }) => {
      const needed = { ...requiredOf(fields), ...NEEDED[`${resource}:${operation}`] };
      return [...fields, optionsField(options)]
        .flatMap((field) => placesOf(field, entered))
        .map((place) => ({
          ...place,
          title: `${resource}: ${operation}: ${place.label}`,
          parameters: asShown({ resource, operation, ...needed, ...place.parameters }),
        }));
    }),
  );

/** The switches are on or off, as the editor shows them, wherever a field depends on them. */
function asShown(parameters: INodeParameters): INodeParameters {
  return {
    ...parameters,
    ...(parameters.returnAll === 'false' && { returnAll: false }),
    ...(parameters.dryRun === 'true' && { dryRun: true }),
  };
}
