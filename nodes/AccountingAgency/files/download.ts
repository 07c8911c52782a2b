import type { IBinaryKeyData, INodeProperties } from 'n8n-workflow';
import type { BytesRoute, Call } from '../../shared/api/routes';
import { type FileRecord, storedFile } from '../../shared/stored-file';
import { requiredText } from '../../shared/values/text';
import type { Item } from '../engine/item';

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

/**
 * The field in which an item wants the file.
 *
 * @throws InputError when none was given
 */
export function outputFieldOf(item: Item): string {
  return requiredText('Put Output File in Field', item.value('binaryPropertyName'), LONGEST_FIELD_NAME);
}

/**
 * Downloads a file into n8n's binary store, see `storedFile`.
 *
 * @param field see `outputFieldOf`
 * @returns the binary, in the field that the item names
 */
export async function downloaded<R extends BytesRoute>(
  item: Item,
  field: string,
  route: R,
  call: Call<R>,
  record: FileRecord,
): Promise<IBinaryKeyData> {
  const stored = await storedFile(
    item.node.helpers,
    record,
    async (consume) => await item.download(route, call, consume),
  );
  return { [field]: stored };
}
