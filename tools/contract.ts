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
  /** The fields without which an answer is not this record. */
  'x-identified-by'?: string[];
}

interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

/** A body, or none, with the headers of an answer. */
interface Body {
  $ref?: string;
  headers?: Record<string, { $ref?: string; required?: boolean }>;
  content?: Record<string, { schema: Schema }>;
}

interface Described {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
  /** The specification does not show what a success is answered with. */
  'x-answer-not-shown'?: boolean;
}

/** The contract as it is written. */
export interface Contract {
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Body>;
    [kind: string]: Record<string, object>;
  };
}

export const readContract = (): Contract =>
  parse(readFileSync(join(__dirname, '../sandbox/openapi.yaml'), 'utf8'));

const CONTRACT = readContract();

/** What a reference in a contract stands for, or the part itself. */
export function resolve<T extends { $ref?: string }>(part: T, contract = CONTRACT): T {
  if (part.$ref === undefined) return part;
  const [kind = '', name = ''] = part.$ref.split('/').slice(-2);
  const found = contract.components[kind]?.[name];
  if (found === undefined) throw new Error(`The contract has no ${part.$ref}.`);
  return resolve(found as T, contract);
}

/** Every operation of a contract. */
export const operationsOf = (contract: Contract) =>
  Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const request = described.requestBody?.content ?? {};
      const success = Object.entries(described.responses).find(([status]) => status.startsWith('2'));
      const answer = success && resolve(success[1], contract).content;
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        /** The scopes that it needs. */
        scopes: described.security.flatMap((requirement) => Object.values(requirement).flat()),
        parameters: (described.parameters ?? []).map((parameter) => resolve(parameter, contract)),
        /** The schema of a JSON body. */
        json: request['application/json']?.schema,
        /** Whether the body is a file. */
        bytes: '*/*' in request,
        /** What it answers when it succeeds: the schema of JSON, bytes, nothing, or something that is not shown. */
        answer: answer?.['application/json']?.schema,
        answersNothing: answer === undefined,
        isAnswerShown: described['x-answer-not-shown'] !== true,
      };
    }),
  );

export const OPERATIONS = operationsOf(CONTRACT);

/** The operation of the contract with this ID. */
export const operationOf = (id: string) => OPERATIONS.find((operation) => operation.id === id);
