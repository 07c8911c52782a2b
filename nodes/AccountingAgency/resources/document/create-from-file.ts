import type { Schemas } from '../../../shared/api/routes';
import { companyOf } from '../../engine/company';
import { companyField } from '../../fields/company';
import { fileField, fileOf } from '../../fields/file';
import { fileNameOption, givenName } from '../../files/name-and-type';
import { idempotencyKey } from '../../fields/options';
import { output, outputFields } from '../../fields/output';
import { documentView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';

export const createFromFile: Operation = {
  value: 'createFromFile',
  name: 'Create From Uploaded File',
  action: 'Create document from uploaded file',
  description:
    "File an uploaded file, once, as a document in a company's inbox, where it goes through text recognition",
  builderHint: 'Only for files from File: Upload. To file new files, use Document: Upload.',
  calls: ['documents.create'],
  fields: [fileField, companyField, ...outputFields(documentView)],
  options: [
    {
      ...fileNameOption,
      description: 'Name for the document, up to 255 characters. If empty, the name of the uploaded file.',
    },
    idempotencyKey,
  ],
  record: (item) => `file:${fileOf(item)}`,
  async execute(item) {
    const body: Schemas['DocumentCreate'] = {
      fileId: fileOf(item),
      companyId: await companyOf(item),
      filename: givenName(item),
    };
    const answer = await item.request('POST /documents', { body });
    return [output(item, answer.body, documentView)];
  },
};
