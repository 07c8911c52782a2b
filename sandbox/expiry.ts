import type { Agency } from './agency';
import type { Chore } from './agenda';
import { deleteExpired, nextExpiry } from './store/files';

/** Deletes files that were not used within a day. */
export class Expiry implements Chore {
  constructor(private readonly agency: Agency) {}

  nextDue(): number | undefined {
    return nextExpiry(this.agency.db);
  }

  async run(now: number): Promise<void> {
    const { db, blobs } = this.agency;
    await Promise.all(deleteExpired(db, now).map((blob) => blobs.remove(blob)));
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }
}
