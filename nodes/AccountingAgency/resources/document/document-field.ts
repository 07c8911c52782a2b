import type { INodeProperties } from 'n8n-workflow';
import { requiredId } from '../../../shared/values/text';
import type { Item } from '../../engine/item';

/** The document that an operation is about. The API has no search for documents, so it is given by its ID. */
export const documentField: INodeProperties = {
  displayName: 'Document ID',
  name: 'documentId',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. 5f3a81c2',
  description: 'The ID of the document, e.g. from "Get Many" or from a document event',
};

/**
 * The document of an item.
 *
 * @throws InputError when none was given
 */
export function documentOf(item: Item): string {
  return requiredId('Document ID', item.value('documentId'));
}
