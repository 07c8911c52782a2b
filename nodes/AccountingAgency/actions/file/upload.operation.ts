import type { Records } from '../../../shared/api/types';
import { fileNameOption } from '../../fields/fileName';
import { idempotencyKey } from '../../fields/options';
import { inputBinaryField, itemFiles, sendFile } from '../../fields/upload';
import type { Operation } from '../operation';

export const upload: Operation = {
  value: 'upload',
  name: 'Upload',
  action: 'Upload a file',
  description:
    'Send files of the input item to the agency without filing them yet. "Create From File" of Document files one; a file that is not filed within one day is deleted.',
  calls: ['files.create'],
  fields: [inputBinaryField],
  options: [fileNameOption, idempotencyKey],
  async execute(item) {
    const files = await itemFiles(item);
    const sent: Array<Records['File']> = [];
    for (const [index, file] of files.entries()) {
      // A second file of an item is another write, also under a key that the user gave.
      sent.push(await sendFile(item, file, index === 0 ? '' : String(index + 1)));
    }
    return sent.map((file) => ({ json: { ...file } }));
  },
};
