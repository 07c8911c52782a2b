import type { Resource } from '../../engine/operation';
import { download } from './download';
import { get } from './get';
import { upload } from './upload';

export const file: Resource = {
  value: 'file',
  name: 'File',
  description: 'Uploaded files that are not filed yet',
  operations: [download, get, upload],
  defaultOperation: upload.value,
  defaultForTools: get.value,
};
