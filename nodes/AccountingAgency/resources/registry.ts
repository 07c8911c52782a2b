import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { company } from './company';
import { companyPlaybook } from './company-playbook';
import { companySettings } from './company-settings';
import { document } from './document';
import { event } from './event';
import { file } from './file';
import type { Operation, Resource } from '../engine/operation';
import { monthEndWork } from './month-end-work';
import { task } from './task';
import { webhookEndpoint } from './webhook-endpoint';
import { optionsField } from '../../shared/fields/options-field';
import { isTool } from '../../shared/node-identity';
import { concurrency } from '../fields/options';

/**
 * Every resource with its operations: the one table that the node is made from. The most used come first, since n8n's
 * nodes panel lists the actions in this order and has no search for those of community nodes.
 */
export const RESOURCES: Resource[] = [
  monthEndWork,
  document,
  company,
  companySettings,
  companyPlaybook,
  event,
  file,
  task,
  webhookEndpoint,
];

const resourceOf = (name: string): Resource | undefined => RESOURCES.find(({ value }) => value === name);

/** The operation of the node's two dropdowns, or `undefined` if this version has none of that name. */
export function findOperation(resource: string, operation: string): Operation | undefined {
  return resourceOf(resource)?.operations.find(({ value }) => value === operation);
}

/**
 * The operation that a node is set to.
 *
 * @throws NodeOperationError for one that this version does not have, or that is kept from AI agents
 */
export function chosenOperation(node: IExecuteFunctions): Operation {
  const resource = String(node.getNodeParameter('resource', 0));
  // Without a resource that this version has, n8n knows of no field "Operation".
  const operation = String(node.getNodeParameter('operation', 0, ''));
  const found = findOperation(resource, operation);
  const refusal = resourceOf(resource)?.hiddenFromTools ?? found?.hiddenFromTools;
  if (refusal !== undefined && isTool(node.getNode())) {
    throw new NodeOperationError(node.getNode(), refusal.message, { description: refusal.description });
  }
  if (found !== undefined) return found;
  const custom = [resource, operation].includes('__CUSTOM_API_CALL__');
  throw new NodeOperationError(
    node.getNode(),
    custom
      ? 'This node does not make custom API calls.'
      : `This version of the node has no ${operation === '' ? 'resource' : `operation "${operation}" of`} "${resource}".`,
    {
      description: custom
        ? 'Use the HTTP Request node and select the credential "Accounting Agency API" there as a predefined credential type.'
        : 'Select a resource and an operation from the lists.',
    },
  );
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
