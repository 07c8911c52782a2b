import type { INodeProperties } from 'n8n-workflow';
import { requiredId } from '../../shared/values/text';
import type { Item } from '../engine/item';

/** The uploaded file that an operation is about. The API has no search for files, so it is given by its ID. */
export const fileField: INodeProperties = {
  displayName: 'File ID',
  name: 'fileId',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. 5f3a81c2',
  description: 'The ID that "Upload" of File returned. Only the key that uploaded a file has access to it.',
};

/**
 * The file of an item.
 *
 * @throws InputError when none was given
 */
export function fileOf(item: Item): string {
  return requiredId('File ID', item.value('fileId'));
}
