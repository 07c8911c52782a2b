import type { IBinaryKeyData, INodeProperties } from 'n8n-workflow';
import { AgencyError } from '../../shared/api/errors';
import { requiredText } from '../../shared/values/texts';
import type { Item } from '../actions/item';
import { UNKNOWN_TYPE } from './fileName';

const LONGEST_FIELD_NAME = 200;

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
 * Streams a file into n8n's binary store, under the name and type of its record.
 *
 * @returns the binary, in the field that the item names
 * @throws AgencyError also when fewer or more bytes arrive than the record says
 */
export async function downloaded(item: Item, path: string, record: FileRecord): Promise<IBinaryKeyData> {
  const field = requiredText(
    'Put Output File in Field',
    item.value('binaryPropertyName'),
    LONGEST_FIELD_NAME,
  );
  const { helpers } = item.node;
  const mimeType = record.mimeType ?? UNKNOWN_TYPE;
  const file = await item.download(path, async (bytes) => {
    let length = 0;
    bytes.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    const stored = await helpers.prepareBinaryData(bytes, record.name, mimeType);
    return { stored, length };
  });
  if (record.sizeBytes !== undefined && record.sizeBytes !== file.length) {
    throw new AgencyError(
      `The file arrived with ${file.length} bytes, but its record says ${record.sizeBytes}.`,
      'Run it again. If it stays, tell the support of the agency.',
    );
  }
  return { [field]: file.stored };
}
