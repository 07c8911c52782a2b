import { isRecord } from '../../../shared/api/errors';
import type { Records } from '../../../shared/api/types';
import type { Item } from '../item';

/** Enough of a fingerprint to tell the files of an execution apart; it is stored with the execution. */
const KEY_LENGTH = 20;

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

  /** The id of the uploaded file, if it was not yet to be deleted by now. */
  get(): string | undefined {
    const entry = this.entries[this.key];
    if (!isRecord(entry) || typeof entry.id !== 'string' || typeof entry.expires !== 'string')
      return undefined;
    return Date.parse(entry.expires) > Date.now() ? entry.id : undefined;
  }

  keep({ id, expiresAt }: Records['File']): void {
    this.item.memory.uploads = { ...this.entries, [this.key]: { id, expires: expiresAt } };
  }

  private get entries(): Record<string, unknown> {
    const { uploads } = this.item.memory;
    return isRecord(uploads) ? uploads : {};
  }
}
