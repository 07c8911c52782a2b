import { path } from '../../../shared/api/path';
import type { Schemas } from '../../../shared/api/types';
import { simplify } from '../../fields/options';
import { output, shortDocument } from '../../fields/output';
import type { Operation } from '../../engine/operation';
import { documentField, documentOf } from './document-field';

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get a document',
  description: 'Read one document: its company, stage, destination and file',
  calls: ['documents.get'],
  fields: [documentField, simplify],
  async execute(item) {
    const id = documentOf(item);
    const { body } = await item.request<Schemas['Document']>({ method: 'GET', path: path`/documents/${id}` });
    return [output(item, body, shortDocument)];
  },
};
