import { fileField, fileOf } from '../../fields/file';
import type { Operation } from '../../engine/operation';

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get a file',
  description: 'Read what is known of an uploaded file: its name, type, size, and the document it has become',
  calls: ['files.get'],
  fields: [fileField],
  async execute(item) {
    const { body } = await item.request('GET /files/{id}', { path: { id: fileOf(item) } });
    return [{ json: { ...body } }];
  },
};
