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
  operations: [createFromFile, download, get, getMany, upload],
  defaultOperation: upload.value,
  defaultForTools: getMany.value,
};
