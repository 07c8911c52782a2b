import type { Resource } from '../operation';
import { download } from './download.operation';
import { get } from './get.operation';
import { upload } from './upload.operation';

export const file: Resource = {
  value: 'file',
  name: 'File',
  description: 'Uploaded files that are not documents yet',
  operations: [download, get, upload],
  defaultOperation: upload.value,
};
