import type { Resource } from '../../engine/operation';
import { createFromFile } from './create-from-file';
import { download } from './download';
import { get } from './get';
import { getMany } from './get-many';
import { upload } from './upload';

export const document: Resource = {
  value: 'document',
  name: 'Document',
  description: 'Invoices, receipts and other documents of companies',
  // By how often they are used, see RESOURCES.
  operations: [upload, getMany, get, download, createFromFile],
  defaultOperation: upload.value,
  defaultForTools: getMany.value,
};
