import type { Records } from '../../../shared/api/types';
import { optionalText } from '../../../shared/values/texts';
import { companyField, companyOf } from '../../fields/company';
import { fileField, fileOf } from '../../fields/fileId';
import { LONGEST_NAME } from '../../fields/fileName';
import { idempotencyKey, simplify } from '../../fields/options';
import { output, shortDocument } from '../../fields/simplified';
import type { Operation } from '../operation';

export const createFromFile: Operation = {
  value: 'createFromFile',
  name: 'Create From File',
  action: 'Create a document from a file',
  description:
    'File an uploaded file as a document of a company, where it arrives in the inbox and is read by text recognition. A file becomes at most one document.',
  calls: ['documents.create'],
  fields: [fileField, companyField, simplify],
  options: [
    {
      displayName: 'File Name',
      name: 'fileName',
      type: 'string',
      default: '',
      placeholder: 'e.g. invoice.pdf',
      description: 'Name to file it under instead of the one it was uploaded with, up to 255 characters',
    },
    idempotencyKey,
  ],
  record: (item) => `file:${fileOf(item)}`,
  async execute(item) {
    const body: Records['DocumentCreate'] = {
      fileId: fileOf(item),
      companyId: companyOf(item),
      filename: optionalText('File Name', item.option('fileName'), LONGEST_NAME),
    };
    const answer = await item.request<Records['Document']>({ method: 'POST', path: '/documents', body });
    return [output(item, answer.body, shortDocument)];
  },
};
