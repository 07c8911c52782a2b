import type { Schemas } from '../../../../shared/api/routes';
import type { Item } from '../../../engine/item';
import { RememberedEntry } from '../../../engine/remembered-entry';

/** An uploaded file, which the agency deletes after `expires` (ISO 8601) unless it has become a document. */
export interface Upload {
  id: string;
  expires: string;
}

/** What is remembered of a file that an item has uploaded. */
export class Uploads {
  private readonly remembered: RememberedEntry;

  /** @param field the binary field of the file */
  constructor(item: Item, field: string) {
    this.remembered = new RememberedEntry(item, 'uploads', item.identity(`upload:${field}`));
  }

  /** The file that was uploaded, if there is one. */
  get(): Upload | undefined {
    const { id, expires } = this.remembered.get() ?? {};
    return typeof id === 'string' && typeof expires === 'string' ? { id, expires } : undefined;
  }

  keep({ id, expiresAt }: Schemas['File']): void {
    this.remembered.keep({ id, expires: expiresAt });
  }
}
