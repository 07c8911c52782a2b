import { downloaded, outputBinaryField, outputFieldOf } from '../../files/download';
import { output, outputFields } from '../../fields/output';
import { documentView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';
import { documentField, documentOf } from './document-field';

export const download: Operation = {
  value: 'download',
  name: 'Download',
  action: 'Download document',
  description: 'Get the original file of a document together with its details',
  builderHint:
    'Outputs the file in a binary field. After a trigger, set Include of the trigger to Event, Record and File instead.',
  calls: ['documents.get', 'documents.content'],
  fields: [documentField, outputBinaryField, ...outputFields(documentView)],
  async execute(item) {
    const field = outputFieldOf(item);
    const id = documentOf(item);
    const { body } = await item.request('GET /documents/{id}', { path: { id } });
    const binary = await downloaded(
      item,
      field,
      'GET /documents/{id}/content',
      { path: { id } },
      {
        name: body.originalFilename,
        mimeType: body.file?.mimeType,
        sizeBytes: body.file?.sizeBytes,
      },
    );
    return [{ ...output(item, body, documentView), binary }];
  },
};
