import { AgencyError, isNotFound } from '../../../../shared/api/errors/agency-error';
import type { Schemas } from '../../../../shared/api/routes';
import { instantOf } from '../../../../shared/values/instant';
import { textOrNothing } from '../../../../shared/values/json';
import type { ItemFile } from '../../../files/input-files';
import { sendFile } from '../../../files/send-files';
import { fingerprint, RememberedEntry } from '../../../engine/idempotency';
import type { Item } from '../../../engine/item';
import { fileRecord, filingError, isOfState } from './filing-errors';

/**
 * Uploads a file and files it as a document of a company (spec: Upload flow). What was uploaded and filed is remembered,
 * so that a later try sends no bytes again and gives the same document, also with another key or after a day, when the
 * agency recognizes neither the file nor the idempotency key; a file that has expired meanwhile is uploaded anew.
 *
 * @param place number of the file among those of its item, from 1
 * @throws AgencyError that names the uploaded file when only the filing did not succeed
 */
export async function fileDocument(
  item: Item,
  companyId: string,
  file: ItemFile,
  place: number,
): Promise<Schemas['Document']> {
  const uploads = new Uploads(item, file.field);
  const filedAs = fingerprint(companyId, file.name);
  const create = async ({ id, expires }: Upload) => {
    const body = { fileId: id, companyId, filename: file.name };
    const document = await createDocument(item, body, filingStep(place));
    uploads.keep({ id, expires, documentId: document.id, filedAs });
    return document;
  };

  const known = uploads.get();
  if (known !== undefined) {
    try {
      return await create(known);
    } catch (thrown) {
      const { documentId } = known;
      const isSame = documentId !== undefined && known.filedAs === filedAs && isOfState(thrown);
      const document = isSame ? await documentIfReadable(item, documentId) : undefined;
      if (document !== undefined) return document;
      // "Not found" may also mean the company.
      const mustUploadAnew = documentId === undefined && isNotFound(thrown) && (await isGone(item, known));
      if (!mustUploadAnew) throw await filingError(thrown, item, known, companyId);
    }
  }
  const { id, expiresAt: expires } = await sendFile(item, file, step('file', place, known?.id));
  const sent = { id, expires };
  uploads.keep(sent);
  try {
    return await create(sent);
  } catch (thrown) {
    throw await filingError(thrown, item, sent, companyId);
  }
}

async function documentIfReadable(item: Item, id: string): Promise<Schemas['Document'] | undefined> {
  return await item.request('GET /documents/{id}', { path: { id } }).then(
    ({ body }) => body,
    (thrown: unknown) => {
      if (thrown instanceof AgencyError) return undefined;
      throw thrown;
    },
  );
}

async function createDocument(
  item: Item,
  body: Schemas['DocumentCreate'],
  name: string,
): Promise<Schemas['Document']> {
  const answer = await item.request('POST /documents', { body }, name);
  return answer.body;
}

/** Name of the write that files a file, by its number among those of its item. */
export const filingStep = (place: number): string => step('document', place);

/** Name of a write of this item; a second file, or one that replaces an expired file, is another write. */
function step(name: string, place: number, replaced?: string): string {
  return [name, ...(place > 1 ? [place] : []), ...(replaced === undefined ? [] : [replaced])].join(':');
}

/** Whether the agency no longer has an uploaded file; a key that may not read files leaves it to the time at which the file was to be deleted. */
async function isGone(item: Item, { id, expires }: Upload): Promise<boolean> {
  try {
    await fileRecord(item, id);
    return false;
  } catch (thrown) {
    return isNotFound(thrown) || instantOf(expires) <= Date.now();
  }
}

/** An uploaded file, which the agency deletes after `expires` (ISO 8601) unless it has become a document. */
type Upload = {
  id: string;
  expires: string;
  /** The document that it has become. */
  documentId?: string;
  /** A fingerprint of what it was filed as: another company or name is another document. */
  filedAs?: string;
};

/** What is remembered of a file that an item has uploaded. */
export class Uploads {
  private readonly remembered: RememberedEntry;

  /** @param field the binary field of the file */
  constructor(item: Item, field: string) {
    // Another agency knows nothing of it.
    const identity = item.identity(`upload:${item.agency}:${field}`);
    this.remembered = new RememberedEntry(item.memory, 'uploads', identity);
  }

  /** The file that was uploaded, if there is one. */
  get(): Upload | undefined {
    const { id, expires, documentId, filedAs } = this.remembered.get() ?? {};
    if (typeof id !== 'string' || typeof expires !== 'string') return undefined;
    return { id, expires, documentId: textOrNothing(documentId), filedAs: textOrNothing(filedAs) };
  }

  keep(upload: Upload): void {
    this.remembered.keep(upload);
  }
}
