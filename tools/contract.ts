import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isRecord } from '../nodes/shared/values/json';

/** An object of the contract. */
export type Node = Readonly<Record<string, unknown>>;

/** The parts of an object; of anything else, none. */
export const objectOf = (value: unknown): Node => (isRecord(value) ? value : {});

/** The entries of a list; of anything else, none. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const contract = objectOf(parse(readFileSync(join(__dirname, '../sandbox/openapi.yaml'), 'utf8')));

/** The part of the contract that a reference names, e.g. `#/components/schemas/Company`. */
export function resolve(ref: string): unknown {
  return ref
    .split('/')
    .slice(1)
    .reduce((part: unknown, step) => objectOf(part)[step], contract);
}

const follow = (part: unknown): Node => {
  const { $ref } = objectOf(part);
  return typeof $ref === 'string' ? follow(resolve($ref)) : objectOf(part);
};

/** An operation of the contract. */
export interface ContractOperation {
  /** The scopes that it needs. */
  scopes: string[];
  /** The schema of its JSON answer when it succeeds; empty when there is none. */
  answer: Node;
}

function operationOf(operation: Node): ContractOperation {
  const requirements = listOf(operation.security ?? contract.security).map(objectOf);
  const responses = objectOf(operation.responses);
  const content = objectOf(follow(responses['200'] ?? responses['201']).content);
  return {
    scopes: requirements
      .flatMap((requirement) => Object.values(requirement).flat())
      .filter((scope) => typeof scope === 'string'),
    answer: objectOf(objectOf(content['application/json']).schema),
  };
}

/** The operations of the contract that the nodes are made for, by their ids. */
export const OPERATIONS: ReadonlyMap<string, ContractOperation> = new Map(
  Object.values(objectOf(contract.paths)).flatMap((methods) =>
    Object.values(objectOf(methods))
      .map(objectOf)
      .filter(({ operationId }) => typeof operationId === 'string')
      .map((operation) => [String(operation.operationId), operationOf(operation)]),
  ),
);
