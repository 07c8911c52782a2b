import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readDocument } from '../../tools/contract/document';
import { type Drift, driftOf } from '../../tools/contract/drift';

/** A part of a parsed contract, to be changed. */
export interface Part {
  [name: string]: Part;
}

const text = readFileSync(join(__dirname, '../../sandbox/openapi.yaml'), 'utf8');

/** The contract that the nodes are made for. */
const known = readDocument(parse(text), 'known');

/** The part of a document at a path; a document without it lets the test fail. */
export function at(document: Part, ...path: string[]): Part {
  return path.reduce((part, step) => {
    const next = part[step];
    if (next === undefined) throw new Error(`The contract has no ${step}`);
    return next;
  }, document);
}

/** A fresh copy of the contract. */
export const contractCopy = (): Part => parse(text);

/** What differs when the contract is changed. */
export function drifts(change: (document: Part) => void): Drift[] {
  const document = contractCopy();
  change(document);
  return driftOf(known, readDocument(document, 'changed'));
}

/** What differs when the contract is changed, in short lines with the number of operations. */
export const drift = (change: (document: Part) => void): string[] => drifts(change).map(line);

const line = ({ kind, part, what, operations }: Drift): string =>
  `${kind}: ${part} ${what} (${operations.length})`;

/** A schema of the contract, or what is inside of it. */
export const schema = (document: Part, name: string, ...path: string[]) =>
  at(document, 'components', 'schemas', name, ...path);
