import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { company } from './company';
import { companyPlaybook } from './company-playbook';
import { companySettings } from './company-settings';
import { document } from './document';
import { event } from './event';
import { file } from './file';
import type { Operation, Resource, ToolRefusal } from '../engine/operation';
import { monthEndWork } from './month-end-work';
import { task } from './task';
import { webhookEndpoint } from './webhook-endpoint';
import { optionsField } from '../../shared/fields/options-field';
import { concurrency } from '../fields/options';

/**
 * Every resource with its operations: the one table that the node is made from. The most used come first, since n8n's
 * nodes panel lists the actions in this order and has no search for those of community nodes.
 */
export const RESOURCES: Resource[] = [
  document,
  monthEndWork,
  company,
  companySettings,
  companyPlaybook,
  event,
  file,
  task,
  webhookEndpoint,
];

/** The operation of the node's two dropdowns, or `undefined` if this version has none of that name. */
export function findOperation(resource: string, operation: string): Operation | undefined {
  return RESOURCES.find(({ value }) => value === resource)?.operations.find(
    ({ value }) => value === operation,
  );
}

/** Why an operation, or all of its resource, is kept from AI agents; `undefined` when it is offered to them. */
export function toolRefusal(resource: string, operation: string): ToolRefusal | undefined {
  const ofResource = RESOURCES.find(({ value }) => value === resource)?.hiddenFromTools;
  return ofResource ?? findOperation(resource, operation)?.hiddenFromTools;
}

/** What the canvas shows below the node's name, e.g. "Get Obligations: Month-End Work". */
export const subtitle = `={{ (${JSON.stringify(
  Object.fromEntries(
    RESOURCES.flatMap(({ value, name, operations }) =>
      operations.map((one) => [`${value}.${one.value}`, `${one.name}: ${name}`]),
    ),
  ),
)})[$parameter.resource + "." + $parameter.operation] }}`;

const resourceField: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: RESOURCES.map(({ name, value, description, hiddenFromTools }): INodePropertyOptions => ({
    name,
    value,
    description,
    ...(hiddenFromTools && { displayOptions: { show: { '@tool': [false] } } }),
  })),
  default: 'document',
};

function operationField({ value: resource, operations, defaultOperation }: Resource): INodeProperties {
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options: operations.map(({ name, value, action, description, builderHint }) => ({
      name,
      value,
      action,
      description,
      builderHint: { propertyHint: builderHint },
    })),
    default: defaultOperation,
  };
}

/** The dropdown of a resource; two of them, when AI agents are offered fewer operations than people. */
function operationFields(resource: Resource): INodeProperties[] {
  const { operations, defaultForTools } = resource;
  if (defaultForTools === undefined) return [operationField(resource)];
  const offered = operations.filter(({ hiddenFromTools }) => !hiddenFromTools);
  return [
    shownTo(false, operationField(resource)),
    shownTo(true, operationField({ ...resource, operations: offered, defaultOperation: defaultForTools })),
  ];
}

/** n8n knows by `@tool` whether it shows the variant of the node for AI agents. */
function shownTo(tools: boolean, field: INodeProperties): INodeProperties {
  return { ...field, displayOptions: { show: { ...field.displayOptions?.show, '@tool': [tools] } } };
}

function fieldsOf(
  resource: string,
  { value: operation, fields, options = [] }: Operation,
): INodeProperties[] {
  // Not by `localeCompare`, which takes longer the first time than all the rest of loading the node.
  const sorted = [...options, concurrency].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
  return [...fields, optionsField(sorted)].map((field) => ({
    ...field,
    displayOptions: {
      ...field.displayOptions,
      show: { ...field.displayOptions?.show, resource: [resource], operation: [operation] },
    },
  }));
}

/** The node's properties, in the order in which the editor shows them. */
export const properties: INodeProperties[] = [
  resourceField,
  ...RESOURCES.flatMap(operationFields),
  ...RESOURCES.flatMap(({ value, operations }) =>
    operations.flatMap((operation) => fieldsOf(value, operation)),
  ),
];
