import type { Resource } from '../operation';
import { createFromFile } from './createFromFile.operation';
import { download } from './download.operation';
import { get } from './get.operation';
import { getMany } from './getMany.operation';
import { upload } from './upload.operation';

export const document: Resource = {
  value: 'document',
  name: 'Document',
  description: 'Documents of the companies, from their arrival to the archive',
  operations: [createFromFile, download, get, getMany, upload],
  defaultOperation: upload.value,
};
