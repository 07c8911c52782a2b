import type { IBinaryData, IBinaryKeyData, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { AgencyError } from '../../shared/api/errors/agency-error';
import type { BytesRoute, Call } from '../../shared/api/routes';
import { textOrNothing } from '../../shared/values/json';
import { requiredText } from '../../shared/values/text';
import type { Item } from '../engine/item';
import { UNKNOWN_TYPE } from '../../shared/api/requests/streams';

const LONGEST_FIELD_NAME = 200;
/** A proxy may put a page of its own in the place of one answer, as of any other. */
const MOST_ATTEMPTS = 4;

/** Where a download puts the file. */
export const outputBinaryField: INodeProperties = {
  displayName: 'Put Output File in Field',
  name: 'binaryPropertyName',
  type: 'string',
  required: true,
  default: 'data',
  hint: 'The name of the output binary field to put the file in',
};

/** What the record says of its file; the API serves every file as `application/octet-stream`. */
export interface FileRecord {
  name: string;
  mimeType?: string;
  sizeBytes?: number;
}

/**
 * The field in which an item wants the file.
 *
 * @throws InputError when none was given
 */
export function outputFieldOf(item: Item): string {
  return requiredText('Put Output File in Field', item.value('binaryPropertyName'), LONGEST_FIELD_NAME);
}

/**
 * Streams a file into n8n's binary store, under the name and type of its record.
 *
 * @param field see `outputFieldOf`
 * @returns the binary, in the field that the item names
 * @throws AgencyError also when fewer or more bytes arrive than the record says, again and again
 */
export async function downloaded<R extends BytesRoute>(
  item: Item,
  field: string,
  route: R,
  call: Call<R>,
  { name, mimeType, sizeBytes }: FileRecord,
): Promise<IBinaryKeyData> {
  const { helpers } = item.node;
  for (let attempt = 1; ; attempt += 1) {
    const stored = await item.download(
      route,
      call,
      async (bytes) =>
        await helpers.prepareBinaryData(bytes, textOrNothing(name), textOrNothing(mimeType) ?? UNKNOWN_TYPE),
    );
    const length = await storedLength(helpers, stored);
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes === length) return { [field]: stored };
    if (attempt < MOST_ATTEMPTS) continue;
    throw new AgencyError(
      `The file has ${length} bytes, but should have ${sizeBytes}.`,
      "Run it again. If that does not help, contact the agency's support.",
    );
  }
}

/** The number of bytes in n8n's store, or in the item itself when n8n keeps files there. */
async function storedLength(
  helpers: IExecuteFunctions['helpers'],
  { id, data }: IBinaryData,
): Promise<number> {
  return id === undefined
    ? Buffer.byteLength(data, 'base64')
    : (await helpers.getBinaryMetadata(id)).fileSize;
}
