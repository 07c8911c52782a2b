import { isNotFound } from '../../../../shared/api/errors/agency-error';
import type { Schemas } from '../../../../shared/api/routes';
import { instantOf } from '../../../../shared/values/instant';
import type { ItemFile } from '../../../files/input-files';
import { sendFile } from '../../../files/send-files';
import { RememberedEntry } from '../../../engine/idempotency';
import type { Item } from '../../../engine/item';
import { fileRecord, filingError } from './filing-errors';

/**
 * Uploads a file and files it as a document of a company (spec: Upload flow). What was uploaded is remembered, so
 * that a later try sends no bytes again; a file that has expired meanwhile is uploaded anew.
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
  const create = async (fileId: string) =>
    await createDocument(item, { fileId, companyId, filename: file.name }, filingStep(place));

  const known = uploads.get();
  if (known !== undefined) {
    try {
      return await create(known.id);
    } catch (thrown) {
      // "Not found" may also mean the company.
      const mustUploadAnew = isNotFound(thrown) && (await isGone(item, known));
      if (!mustUploadAnew) throw await filingError(thrown, item, known.id, companyId);
    }
  }
  const sent = await sendFile(item, file, step('file', place, known?.id));
  uploads.keep(sent);
  try {
    return await create(sent.id);
  } catch (thrown) {
    throw await filingError(thrown, item, sent.id, companyId);
  }
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
interface Upload {
  id: string;
  expires: string;
}

/** What is remembered of a file that an item has uploaded. */
export class Uploads {
  private readonly remembered: RememberedEntry;

  /** @param field the binary field of the file */
  constructor(item: Item, field: string) {
    this.remembered = new RememberedEntry(item.memory, 'uploads', item.identity(`upload:${field}`));
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
