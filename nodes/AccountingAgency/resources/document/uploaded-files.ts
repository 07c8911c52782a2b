import { isRecord } from '../../../shared/values/json';
import type { Schemas } from '../../../shared/api/routes';
import type { Item } from '../../engine/item';

/** Enough of a fingerprint to tell the files of an execution apart; it is stored with the execution. */
const KEY_LENGTH = 20;

/** An uploaded file, which the agency deletes after `expires` (ISO 8601) unless it has become a document. */
export interface Upload {
  id: string;
  expires: string;
}

/** What is remembered of the files that an item has uploaded: in the node's context, which n8n keeps for retries. */
export class Uploads {
  private readonly key: string;

  /** @param field the binary field of the file */
  constructor(
    private readonly item: Item,
    field: string,
  ) {
    this.key = item.identity(`upload:${field}`).slice(0, KEY_LENGTH);
  }

  /** The file that was uploaded, if there is one. */
  get(): Upload | undefined {
    const { uploads } = this.item.memory;
    const entry = isRecord(uploads) ? uploads[this.key] : undefined;
    if (!isRecord(entry) || typeof entry.id !== 'string' || typeof entry.expires !== 'string')
      return undefined;
    return { id: entry.id, expires: entry.expires };
  }

  keep({ id, expiresAt }: Schemas['File']): void {
    const { memory } = this.item;
    const entry = { [this.key]: { id, expires: expiresAt } };
    if (isRecord(memory.uploads)) Object.assign(memory.uploads, entry);
    else memory.uploads = entry;
  }
}
