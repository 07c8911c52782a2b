import { fileField, fileOf } from '../../fields/file';
import { output, outputFields } from '../../fields/output';
import { fileView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get file',
  description: 'Get the name, type and size of an uploaded file, and the document it became',
  builderHint: 'Only for files that this key uploaded. For documents, use Document: Get.',
  calls: ['files.get'],
  fields: [fileField, ...outputFields(fileView)],
  async execute(item) {
    const { body } = await item.request('GET /files/{id}', { path: { id: fileOf(item) } });
    return [output(item, body, fileView)];
  },
};
