import { path } from '../../../shared/api/path';
import type { Schemas } from '../../../shared/api/types';
import { downloaded, outputBinaryField } from '../../files/download';
import { fileField, fileOf } from '../../fields/file';
import type { Operation } from '../../engine/operation';

export const download: Operation = {
  value: 'download',
  name: 'Download',
  action: 'Download a file',
  description: 'Read the bytes of an uploaded file, together with its record',
  calls: ['files.get', 'files.content'],
  fields: [fileField, outputBinaryField],
  async execute(item) {
    const id = fileOf(item);
    const { body } = await item.request<Schemas['File']>({ method: 'GET', path: path`/files/${id}` });
    const { filename: name, mimeType, sizeBytes } = body;
    const binary = await downloaded(item, path`/files/${id}/content`, { name, mimeType, sizeBytes });
    return [{ json: { ...body }, binary }];
  },
};
