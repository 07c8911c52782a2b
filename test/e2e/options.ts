import { parseArgs } from 'node:util';
import { Halt } from '../../tools/n8n/halt';
import type { Part } from './part';

/**
 * The parts that the command line asks for: those behind `--only`, several divided by commas or by
 * repeating it, in the order of `parts`; all of them without it.
 *
 * @throws Halt for an option or a part that does not exist
 */
export function chosenParts(args: string[], parts: Part[]): Part[] {
  const names = parts.map(({ name }) => name);
  const usage = `Usage: npm run test:e2e -- [--only PART[,PART...]]\nParts: ${names.join(', ')}`;
  const only = readOnly(args, usage).flatMap((text) => text.split(','));
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Halt(`There is no part "${unknown.join('", "')}".\n\n${usage}`);
  return only.length === 0 ? parts : parts.filter(({ name }) => only.includes(name));
}

function readOnly(args: string[], usage: string): string[] {
  try {
    return parseArgs({ args, options: { only: { type: 'string', multiple: true } } }).values.only ?? [];
  } catch (error) {
    if (error instanceof TypeError) throw new Halt(`${error.message}\n\n${usage}`);
    throw error;
  }
}
