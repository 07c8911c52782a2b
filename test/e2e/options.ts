import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Halt } from '../../tools/n8n/processes/halt';
import type { Part } from './part';
import { VARIANTS } from './variants';

/** What the command line asks for. */
export interface Choice {
  parts: Part[];
  /** The Node.js program that n8n runs on, instead of the one that is locked with it. */
  node?: string;
}

interface Given {
  only?: string[];
  n8n?: string[];
  node?: string;
}

/**
 * Reads the command line: the parts behind `--only`, on the versions of n8n behind `--n8n`, several divided by commas
 * or by repeating it, in the order of `parts`, all of them without it; `--node` is the path of a Node.js.
 *
 * @throws Halt for an option, a part, a version or a program that does not exist, and when nothing is left to run
 */
export function readChoice(args: string[], parts: Part[]): Choice {
  const names = parts.map(({ name }) => name);
  const versions: string[] = [...new Set(VARIANTS.map(({ version }) => version))];
  const usage = [
    'Usage: npm run test:e2e -- [--only PART[,PART...]] [--n8n VERSION[,VERSION...]] [--node PROGRAM]',
    `Parts: ${names.join(', ')}`,
    `Versions: ${versions.join(', ')}`,
  ].join('\n');
  const { node, ...given } = readOptions(args, usage);
  const only = listed(given.only, names, 'part', usage);
  const n8n = listed(given.n8n, versions, 'version', usage);
  const chosen = parts
    .filter(({ name }) => only.includes(name))
    .map((part) => ({ ...part, on: part.on.filter(({ version }) => n8n.includes(version)) }))
    .filter(({ on }) => on.length > 0);
  if (chosen.length === 0) throw new Halt(`No part of these runs on n8n ${n8n.join(', ')}.\n\n${usage}`);
  if (node !== undefined && !existsSync(node)) throw new Halt(`There is no program ${node}.\n\n${usage}`);
  return { parts: chosen, node };
}

/** What an option lists; everything that there is when it is not given. */
function listed(given: string[] | undefined, there: string[], what: string, usage: string): string[] {
  const wanted = given?.flatMap((text) => text.split(',')) ?? there;
  const unknown = wanted.filter((name) => !there.includes(name));
  if (unknown.length > 0) throw new Halt(`There is no ${what} "${unknown.join('", "')}".\n\n${usage}`);
  return wanted;
}

function readOptions(args: string[], usage: string): Given {
  const list = { type: 'string', multiple: true } as const;
  try {
    return parseArgs({ args, options: { only: list, n8n: list, node: { type: 'string' } } }).values;
  } catch (error) {
    if (error instanceof TypeError) throw new Halt(`${error.message}\n\n${usage}`);
    throw error;
  }
}
