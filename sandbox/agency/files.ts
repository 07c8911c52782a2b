import { newId } from '../ids';
import type { File } from '../records';
import { notFound } from '../server/errors';
import { created, header, ok, type Call, type Operation } from '../server/operation';
import { addFile, findFile, type StoredFile, deleteExpired, nextExpiry } from '../store/files';
import { DAY, iso } from '../time/clock';
import type { Chore } from '../time/schedule';
import type { Agency } from './agency';
import { NO_TYPE } from './file-types';

export const create: Operation = (call, agency) => {
  const { upload } = call;
  if (!upload) throw new Error('The bytes were not taken');
  const now = agency.clock.now();
  const file: File = {
    id: newId('file'),
    filename: String(call.query.filename),
    mimeType: header(call, 'content-type') ?? NO_TYPE,
    sizeBytes: upload.sizeBytes,
    sha256: upload.sha256,
    createdAt: iso(now),
    expiresAt: iso(now + DAY),
    documentId: null,
  };
  addFile(agency.db, { file, blob: upload.name }, call.principal.credentialId);
  agency.agenda.wake();
  return created(file);
};

/** Only the key that uploaded a file sees it. */
function addressed(call: Call, agency: Agency): StoredFile {
  const found = findFile(agency.db, String(call.params.id), call.principal.credentialId, agency.clock.now());
  if (!found) throw notFound('file');
  return found;
}

export const get: Operation = (call, agency) => ok(addressed(call, agency).file);

export const content: Operation = (call, agency) => ({
  status: 200,
  content: { blob: addressed(call, agency).blob },
});

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
