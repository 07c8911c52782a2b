import { type AgencyErrorFacts, notFound } from '../../../../shared/api/errors/error-messages';
import { AgencyError, isNotFound } from '../../../../shared/api/errors/agency-error';
import type { Schemas } from '../../../../shared/api/routes';
import type { Item } from '../../../engine/item';

/** Statuses of refusals for what a record is, or is not. */
const OF_STATE = [400, 404, 409, 422];
/** Of these, codes that most likely mean that the file has become a document before. */
const MAYBE_FILED = ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'];

/** Whether the agency refuses a filing for what a record is, or is not. */
export function isOfState(error: unknown): boolean {
  return error instanceof AgencyError && !isUnknown(error) && OF_STATE.includes(error.status ?? 0);
}

/** The record of an uploaded file, if the key may read it and the agency has it. */
export async function fileRecord(item: Item, fileId: string): Promise<Schemas['File']> {
  const { body } = await item.request('GET /files/{id}', { path: { id: fileId } });
  return body;
}

/**
 * The error of a filing, which says what has become of the uploaded file. What is not the agency's stays as it is.
 *
 * @param file with the document that it is known to have become
 */
export async function filingError(
  thrown: unknown,
  item: Item,
  file: { id: string; documentId?: string },
  companyId: string,
): Promise<unknown> {
  if (!(thrown instanceof AgencyError)) return thrown;
  const fileId = file.id;
  const { message, resolution, documentId } = await told(item, file, companyId, thrown);
  return new AgencyError(`${message}.`, `${thrown.description}\n${resolution}`, {
    ...thrown,
    details: { ...thrown.details, fileId, ...(documentId !== undefined && { documentId }) },
  });
}

async function told(
  item: Item,
  { id: fileId, documentId: known }: { id: string; documentId?: string },
  companyId: string,
  error: AgencyError,
): Promise<{ message: string; resolution: string; documentId?: string }> {
  const uploaded = `The file was uploaded (file ID ${fileId})`;
  if (known === undefined && isUnknown(error)) {
    return {
      message: `${error.message} ${uploaded}, but may not be a document yet`,
      resolution:
        'Use "Retry execution" within one day to find out: nothing is done twice, and the file is not sent again.',
    };
  }
  // The specification shows no code for a file that is a document already.
  const documentId = known ?? (isOfState(error) ? await documentOf(item, fileId) : null);
  if (documentId === undefined && MAYBE_FILED.includes(error.code ?? '')) {
    return {
      message: `${error.message} ${uploaded}, and may already be a document`,
      resolution:
        'Ask an administrator of the agency to add the scope documents:read to the access of this key. Then "Get" of File shows which document it is.',
    };
  }
  if (typeof documentId === 'string') {
    return {
      message: `${error.message} ${uploaded}, and is already the document ${documentId}`,
      resolution: 'It was not filed again. Use "Get" of Document with this ID to see its company and stage.',
      documentId,
    };
  }
  const what = isNotFound(error) ? notFound(`company "${companyId}"`) : error.message;
  return {
    message: `${what} ${uploaded}, but is not a document yet`,
    resolution:
      'Use "Retry execution", or "Create From Uploaded File" with this file ID, within one day: the file is not sent again.',
  };
}

/** Whether the agency may have filed the file all the same: it gave no answer of its own, has a fault, or is still at it. */
const isUnknown = ({ status, code }: AgencyErrorFacts): boolean =>
  status === undefined || code === undefined || status >= 500 || code === 'IDEMPOTENCY_KEY_IN_USE';

/** The document that a file has become: `null` if it is none, `undefined` when the agency does not say. */
async function documentOf(item: Item, fileId: string): Promise<string | null | undefined> {
  return await fileRecord(item, fileId).then(
    ({ documentId }) => documentId,
    () => undefined,
  );
}
