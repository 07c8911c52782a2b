import type { INodeProperties } from 'n8n-workflow';

/** The document that an operation is about. The API has no search for documents, so it is given by its ID. */
export const documentField: INodeProperties = {
  displayName: 'Document ID',
  name: 'documentId',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. 5f3a81c2',
  description: 'The ID of the document, as "Get Many" gives it or as the subject of a document event',
};
