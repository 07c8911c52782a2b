import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import type { Operation, Resource } from '../../../nodes/AccountingAgency/engine/operation';
import { type Contract, operationsOf, resolve, type Schema } from '../../../tools/contract';

/** A field of the node with what is inside of it. */
interface Field {
  name: string;
  /** Values of a dropdown. */
  choices: unknown[];
  inner: Field[];
}

/** Fields that have another name than in the API; an ID is the one of the path's last record. */
const OTHER_NAMES: Record<string, string> = {
  cursor: 'returnAll',
  filename: 'fileName',
  'Approval-Id': 'approvalId',
  'Idempotency-Key': 'idempotencyKey',
  'If-Match': 'version',
  '/companies/id': 'companyId',
  '/documents/id': 'documentId',
  '/files/id': 'fileId',
  '/tasks/id': 'taskId',
  '/webhook-endpoints/id': 'endpointId',
};

/** Lists whose entries are rows of their own in the node. */
const ROWS = new Set(['fields']);

/** What takes a body that is not described by properties: raw bytes, and fields that no template tells. */
const RAW_BODY = 'binaryPropertyName';
const ANY_FIELDS = ['otherFields', 'otherFieldsJson'];

function fieldOf(option: INodeProperties | INodePropertyCollection | INodePropertyOptions): Field[] {
  if ('values' in option) {
    return [{ name: option.name, choices: [], inner: option.values.flatMap(fieldOf) }];
  }
  if (!('type' in option)) return [];
  const options = option.options ?? [];
  const choices = options.flatMap((one) => ('value' in one ? [one.value] : []));
  return [{ name: option.name, choices, inner: options.flatMap(fieldOf) }];
}

/** All fields of this name, however deep. */
function named(scope: Field[], name: string): Field[] {
  return scope.flatMap((field) => [...(field.name === name ? [field] : []), ...named(field.inner, name)]);
}

/** What a contract asks for that a node with these resources cannot send. Each entry names one thing. */
export function gaps(contract: Contract, resources: Resource[]): string[] {
  const operations = resources.flatMap((resource) => resource.operations);
  const contracted = operationsOf(contract);
  const known = contracted.flatMap((operation) => operationGaps(contract, operation, operations));
  const ids = contracted.map(({ id }) => id);
  const unknown = operations.flatMap(({ calls, action }) =>
    calls.filter((id) => !ids.includes(id)).map((id) => `${action}: calls ${id}, which there is not`),
  );
  return [...known, ...unknown];
}

function operationGaps(
  contract: Contract,
  { id, path, parameters, json, bytes }: ReturnType<typeof operationsOf>[number],
  operations: Operation[],
): string[] {
  const callers = operations.filter(({ calls }) => calls.includes(id));
  if (callers.length === 0) return [`${id}: no operation`];
  const scope = callers.flatMap(({ fields, options = [] }) => [...fields, ...options].flatMap(fieldOf));
  return [
    ...parameters.flatMap(({ name, schema }) => {
      const label = name === 'id' ? `/${path.split('/')[1]}/id` : name;
      return valueGaps(contract, scope, label, schema, `${id}: parameter ${name}`);
    }),
    ...(json ? objectGaps(contract, scope, json, `${id}: body`) : []),
    ...(bytes ? absent(scope, [RAW_BODY], `${id}: body of bytes`) : []),
  ];
}

/** A schema without references and without the possibility of `null`. */
function plain(contract: Contract, schema: Schema): Schema {
  const found = resolve(schema, contract);
  const [one, ...others] = (found.oneOf ?? []).filter(({ type }) => type !== 'null');
  if (others.length > 0) throw new Error('Alternatives in a request are not looked at here.');
  return one === undefined ? found : plain(contract, one);
}

const absent = (scope: Field[], names: string[], what: string): string[] =>
  names.every((name) => named(scope, name).length > 0) ? [] : [what];

function objectGaps(contract: Contract, scope: Field[], schema: Schema, what: string): string[] {
  const { properties = {}, additionalProperties } = plain(contract, schema);
  return [
    ...Object.entries(properties).flatMap(([name, property]) =>
      valueGaps(contract, scope, name, property, `${what}.${name}`),
    ),
    ...(additionalProperties === true ? absent(scope, ANY_FIELDS, `${what}: any other fields`) : []),
  ];
}

function valueGaps(contract: Contract, scope: Field[], name: string, schema: Schema, what: string): string[] {
  const value = plain(contract, schema);
  // A constant leaves no choice.
  if (value.const !== undefined) return [];
  const item = value.items && plain(contract, value.items);
  if (item?.properties && ROWS.has(name)) return objectGaps(contract, scope, item, what);
  const fields = named(scope, OTHER_NAMES[name] ?? name);
  const allowed = value.enum ?? item?.enum;
  if (fields.length === 0) {
    // Values may be rows of the form instead.
    const missing = allowed?.filter((one) => named(scope, String(one)).length === 0);
    return missing?.length === 0 ? [] : [what];
  }
  const lacking = (allowed ?? []).filter((one) => !fields.some(({ choices }) => choices.includes(one)));
  const inner = fields.flatMap((field) => field.inner);
  const nested = value.properties ? objectGaps(contract, inner.length > 0 ? inner : scope, value, what) : [];
  return [...lacking.map((one) => `${what} = ${String(one)}`), ...nested];
}
