import type { Agency } from './agency';
import type { Chore } from '../time/schedule';
import { SECOND } from '../time/clock';
import { emit } from './events';
import type { Document } from '../records';
import { findDocument, finishReading, nextReading, dueReadings } from '../store/documents';

/** How long it takes to read a document (OCR). */
export const READING_TIME = 2 * SECOND;

/** The first bytes that files of these types begin with. */
const BEGINNINGS: Record<string, Buffer> = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47]),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
};

/** Whether a file holds anything, and is what it says it is. */
function isReadable(mimeType: string, head: Buffer): boolean {
  const [essence = ''] = mimeType.toLowerCase().split(';');
  const beginning = BEGINNINGS[essence.trim()];
  return head.length > 0 && (!beginning || head.subarray(0, beginning.length).equals(beginning));
}

/** Reads the documents whose time has come. */
export class Reading implements Chore {
  private going?: Promise<void>;

  constructor(private readonly agency: Agency) {}

  nextDue(): number | undefined {
    return this.going ? undefined : nextReading(this.agency.db);
  }

  run(now: number): Promise<void> {
    this.going ??= this.read(now).finally(() => {
      this.going = undefined;
    });
    return this.going;
  }

  async settled(): Promise<void> {
    await this.going;
  }

  private async read(now: number): Promise<void> {
    const { db } = this.agency;
    for (const document of dueReadings(db, now)) {
      const type = (await this.readable(document)) ? 'document.ocr_completed' : 'document.ocr_failed';
      db.transaction(() => {
        if (finishReading(db, document.id)) emit(this.agency, type, document);
      });
    }
  }

  private async readable(document: Document): Promise<boolean> {
    const blob = findDocument(this.agency.db, document.id)?.content.blob;
    if (!blob || !document.file) return false;
    return isReadable(document.file.mimeType, await this.agency.blobs.head(blob, 16));
  }
}
