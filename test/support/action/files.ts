import { createHash } from 'node:crypto';
import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import type { NodeRun } from '../engine';

/** A file of an input item. */
export interface TestFile {
  bytes: Buffer;
  name?: string;
  /** PDF, unless something else is given. */
  type?: string;
  /** Number of bytes that a node says instead of n8n, as a Code node can. */
  madeUpLength?: number;
}

/** An input item with files, by the names of their fields. */
export interface ItemWithFiles {
  json?: IDataObject;
  files: Record<string, TestFile>;
}

/** Input items whose files a node before has put into n8n's binary store. */
export function itemsWithFiles(...items: ItemWithFiles[]): NonNullable<NodeRun['input']> {
  return async function () {
    return await Promise.all(
      items.map(async ({ json = {}, files }) => {
        const binary: IBinaryKeyData = {};
        for (const [field, file] of Object.entries(files)) {
          const { bytes, name, type = 'application/pdf', madeUpLength } = file;
          const stored = await this.helpers.prepareBinaryData(bytes, name, type);
          binary[field] = { ...stored, bytes: madeUpLength ?? stored.bytes };
        }
        return { json, binary };
      }),
    );
  };
}

/** A PDF in the eyes of the sandbox, of so many bytes, different for each seed. */
export function pdf(seed: string, length = 64): Buffer {
  const bytes = Buffer.alloc(length, seed);
  bytes.write('%PDF-1.7\n');
  return bytes;
}

/** The hash of bytes, or of a text in UTF-8, as the agency shows it: in hexadecimal digits. */
export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
