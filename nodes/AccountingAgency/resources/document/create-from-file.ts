import type { Schemas } from '../../../shared/api/routes';
import { companyField, companyOf } from '../../fields/company';
import { fileField, fileOf } from '../../fields/file';
import { fileNameOption, givenName } from '../../files/file-name';
import { idempotencyKey, simplify } from '../../fields/options';
import { output, shortDocument } from '../../fields/output';
import type { Operation } from '../../engine/operation';

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
      ...fileNameOption,
      description: 'Name to file it under instead of the one it was uploaded with, up to 255 characters',
    },
    idempotencyKey,
  ],
  record: (item) => `file:${fileOf(item)}`,
  async execute(item) {
    const body: Schemas['DocumentCreate'] = {
      fileId: fileOf(item),
      companyId: companyOf(item),
      filename: givenName(item),
    };
    const answer = await item.request('POST /documents', { body });
    return [output(item, answer.body, shortDocument)];
  },
};
