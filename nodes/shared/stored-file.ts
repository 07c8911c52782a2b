import type { BinaryHelperFunctions, IBinaryData } from 'n8n-workflow';
import { AgencyError } from './api/errors/agency-error';
import { type ByteStream, UNKNOWN_TYPE } from './api/routes';
import { textOrNothing } from './values/json';

/** A proxy may put a page of its own in the place of one answer, as of any other. */
const MOST_ATTEMPTS = 4;

/** What the record says of its file; the API serves every file as `application/octet-stream`. */
export interface FileRecord {
  name: string;
  mimeType?: string;
  sizeBytes?: number;
}

type Helpers = Pick<BinaryHelperFunctions, 'prepareBinaryData' | 'getBinaryMetadata'>;

/**
 * Streams a file into n8n's binary store, under the name and type of its record.
 *
 * @param download asks for the bytes, and gives what became of them
 * @throws AgencyError also when fewer or more bytes arrive than the record says, again and again
 */
export async function storedFile(
  helpers: Helpers,
  { name, mimeType, sizeBytes }: FileRecord,
  download: (consume: (bytes: ByteStream) => Promise<IBinaryData>) => Promise<IBinaryData>,
): Promise<IBinaryData> {
  const store = async (bytes: ByteStream) =>
    await helpers.prepareBinaryData(bytes, textOrNothing(name), textOrNothing(mimeType) ?? UNKNOWN_TYPE);
  for (let attempt = 1; ; attempt += 1) {
    const stored = await download(store);
    const length = await storedLength(helpers, stored);
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes === length) return stored;
    if (attempt < MOST_ATTEMPTS) continue;
    throw new AgencyError(
      `The downloaded file is ${length < Number(sizeBytes) ? 'smaller' : 'larger'} than the agency says.`,
      "Run it again. If that does not help, contact the agency's support.",
      { details: { sizeBytes, downloadedBytes: length } },
    );
  }
}

/** The number of bytes in n8n's store, or in the item itself when n8n keeps files there. */
async function storedLength(helpers: Helpers, { id, data }: IBinaryData): Promise<number> {
  return id === undefined
    ? Buffer.byteLength(data, 'base64')
    : (await helpers.getBinaryMetadata(id)).fileSize;
}
