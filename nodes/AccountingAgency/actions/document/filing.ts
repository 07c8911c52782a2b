import { AgencyError } from '../../../shared/api/errors';
import type { Records } from '../../../shared/api/types';
import { type ItemFile, sendFile } from '../../fields/upload';
import type { Item } from '../item';
import { Uploads } from './uploads';

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
): Promise<Records['Document']> {
  const uploads = new Uploads(item, file.field);
  const createFrom = async (fileId: string) =>
    await createDocument(item, { fileId, companyId, filename: file.name }, step('document', place));

  const known = uploads.get();
  const filed = known === undefined ? undefined : await createFrom(known).catch(unlessGone(known, companyId));
  if (filed !== undefined) return filed;

  const sent = await sendFile(item, file, step('file', place, known));
  uploads.keep(sent);
  return await createFrom(sent.id).catch(unfiled(sent.id, companyId));
}

async function createDocument(
  item: Item,
  body: Records['DocumentCreate'],
  name: string,
): Promise<Records['Document']> {
  const answer = await item.request<Records['Document']>({ method: 'POST', path: '/documents', body }, name);
  return answer.body;
}

/** Name of a write of this item; a second file, or one that replaces an expired file, is another write. */
function step(name: string, place: number, replaced?: string): string {
  return [name, ...(place > 1 ? [place] : []), ...(replaced === undefined ? [] : [replaced])].join(':');
}

/** A remembered file that the agency no longer has is uploaded anew. */
function unlessGone(fileId: string, companyId: string) {
  return (thrown: unknown): undefined => {
    if (!(thrown instanceof AgencyError && thrown.code === 'NOT_FOUND')) unfiled(fileId, companyId)(thrown);
  };
}

function unfiled(fileId: string, companyId: string) {
  return (thrown: unknown): never => {
    if (!(thrown instanceof AgencyError)) throw thrown;
    const what =
      thrown.code === 'NOT_FOUND'
        ? `The agency does not know the company ${companyId}, or the key may not see it.`
        : thrown.message;
    throw new AgencyError(
      `${what} The file was uploaded (file ID ${fileId}), but is not a document yet.`,
      `${thrown.description}\nRun it again, or use "Create From File" with this file ID, within one day: the bytes are not sent again.`,
      { ...thrown, details: { ...thrown.details, fileId } },
    );
  };
}
