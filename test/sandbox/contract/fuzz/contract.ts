import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The parts of a JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  pattern?: string;
  format?: string;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

interface Contract {
  paths: Record<string, Record<string, Described>>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
}

interface Described {
  parameters?: Array<{ $ref: string }>;
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const { paths, components }: Contract = parse(
  readFileSync(join(__dirname, '../../../../sandbox/openapi.yaml'), 'utf8'),
);

const nameOf = (ref: string) => ref.split('/').pop() ?? '';

/** @throws Error for a reference to nothing. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = components.schemas[nameOf(schema.$ref)];
  if (found === undefined) throw new Error(`The contract has no ${schema.$ref}.`);
  return found;
}

/** Every operation of the contract: `json` is the schema of a JSON body, `bytes` that the body is a file. */
export const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
    method: method.toUpperCase(),
    path,
    parameters: parameters.flatMap(({ $ref }) => components.parameters[nameOf($ref)] ?? []),
    json: requestBody?.content['application/json']?.schema,
    bytes: requestBody?.content['*/*'] !== undefined,
  })),
);

/** One operation of the contract, with what a request of it is made of. */
export type FuzzOperation = (typeof operations)[number];
