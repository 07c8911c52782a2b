import { AgencyError } from '../../shared/api/errors/agency-error';
import type { Schemas } from '../../shared/api/routes';
import { isOwnError } from '../../shared/own-errors';
import { wordsOf } from '../engine/failed-items';
import type { Item } from '../engine/item';
import type { ToolRefusal } from '../engine/operation';
import type { ItemFile } from './input-files';

/** Tools are handed no files. */
export const NO_UPLOADS_BY_TOOLS: ToolRefusal = {
  message: 'AI agents cannot upload files, because they cannot pass files to tools.',
  description:
    'Upload in the workflow itself, with the Accounting Agency node before or after the agent. "Create From Uploaded File" can then be a tool.',
};

/** What an operation makes of each file. */
type Kind = 'document' | 'file';

/** The record that came of a file. */
interface Made {
  id: string;
}

const DONE: Record<Kind, string> = { document: 'filed', file: 'uploaded' };

/** Sends the bytes of a file (spec: `files.create`). */
export async function sendFile(item: Item, file: ItemFile, step: string): Promise<Schemas['File']> {
  const query = { filename: file.name };
  const { body } = await item.request('POST /files', { query, file }, step);
  return body;
}

/**
 * Sends the files of an item one after the other. When one of several does not get through, the error names it, and
 * what the item has already made of those before it.
 *
 * @param send sends a file and gives the record that came of it; `place` is its number among the item's, from 1
 * @throws AgencyError
 */
export async function uploadSequentially<F extends ItemFile, T extends Made>(
  files: F[],
  kind: Kind,
  send: (file: F, place: number) => Promise<T>,
): Promise<T[]> {
  const made: T[] = [];
  for (const [index, file] of files.entries()) {
    try {
      made.push(await send(file, index + 1));
    } catch (thrown) {
      throw files.length === 1 ? thrown : stoppedAt(thrown, files, kind, made);
    }
  }
  return made;
}

/** The error of a file that did not get through, which names it and what was made of those before it. */
function stoppedAt(thrown: unknown, files: ItemFile[], kind: Kind, made: Made[]): unknown {
  const { field = '', name: fileName = '' } = files[made.length] ?? {};
  const before = made.length === 0 ? '' : `; those before it are ${DONE[kind]}`;
  return withMessage(thrown, {
    message: `This is the file "${fileName}" in the field "${field}", number ${made.length + 1} of ${files.length}${before}.`,
    resolution: madeBefore(files, kind, made),
    details: { field, fileName, ...factsOf(files, kind, made) },
  });
}

/** The error of what follows the sending, which says what the item has already made of its files. */
export function afterMade(thrown: unknown, files: ItemFile[], kind: Kind, made: Made[]): unknown {
  return withMessage(thrown, {
    message: made.length === 1 ? `The file is ${DONE[kind]}.` : `All ${made.length} files are ${DONE[kind]}.`,
    resolution: madeBefore(files, kind, made),
    details: factsOf(files, kind, made),
  });
}

function madeBefore(files: ItemFile[], kind: Kind, made: Made[]): string {
  if (made.length === 0) return '';
  const list = made.map(({ id }, index) => `"${files[index]?.name}" (${kind} ID ${id})`).join(', ');
  return `Already ${DONE[kind]}: ${list}. "Retry execution" continues from there, without repeating them; a new run would repeat them, unless you set your own Idempotency Key.`;
}

function factsOf(files: ItemFile[], kind: Kind, made: Made[]): Record<string, unknown> {
  const list = made.map(({ id }, index) => ({
    id,
    field: files[index]?.field,
    fileName: files[index]?.name,
  }));
  return { [`${kind}s`]: list };
}

/** The same error, which says more of what happened, of the way out and of the facts. What is not the node's own passes. */
function withMessage(
  thrown: unknown,
  more: { message: string; resolution: string; details: Record<string, unknown> },
): unknown {
  if (!isOwnError(thrown)) return thrown;
  const { message, description } = wordsOf(thrown);
  const facts = thrown instanceof AgencyError ? thrown : undefined;
  return new AgencyError(
    `${message.replace(/[^.!?]$/, '$&.')} ${more.message}`,
    [description, more.resolution].filter((part) => part !== '').join('\n'),
    { ...facts, details: { ...facts?.details, ...more.details } },
  );
}
