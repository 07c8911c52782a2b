import { downloaded, outputBinaryField, outputFieldOf } from '../../files/download';
import { fileField, fileOf } from '../../fields/file';
import { output, outputFields } from '../../fields/output';
import { fileView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';

export const download: Operation = {
  value: 'download',
  name: 'Download',
  action: 'Download file',
  description: 'Get an uploaded file together with its details',
  builderHint: 'Only for files that this key uploaded. For documents, use Document: Download.',
  calls: ['files.get', 'files.content'],
  fields: [fileField, outputBinaryField, ...outputFields(fileView)],
  async execute(item) {
    const field = outputFieldOf(item);
    const id = fileOf(item);
    const { body } = await item.request('GET /files/{id}', { path: { id } });
    const { filename: name, mimeType, sizeBytes } = body;
    const record = { name, mimeType, sizeBytes };
    const binary = await downloaded(item, field, 'GET /files/{id}/content', { path: { id } }, record);
    return [{ ...output(item, body, fileView), binary }];
  },
};
