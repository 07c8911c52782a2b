import { output, outputFields } from '../../fields/output';
import { documentView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';
import { documentField, documentOf } from './document-field';

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get document',
  description: 'Get the company, stage, destination and other details of a document',
  builderHint: 'After a trigger, set Include of the trigger to Event and Record instead.',
  calls: ['documents.get'],
  fields: [documentField, ...outputFields(documentView)],
  async execute(item) {
    const { body } = await item.request('GET /documents/{id}', { path: { id: documentOf(item) } });
    return [output(item, body, documentView)];
  },
};
