import { fileNameOption } from '../../files/name-and-type';
import { idempotencyKey } from '../../fields/options';
import { inputBinaryField, itemFiles } from '../../files/input-files';
import { NO_UPLOADS_BY_TOOLS, sendFile, uploadSequentially } from '../../files/send-files';
import { output, outputFields } from '../../fields/output';
import { fileView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';

export const upload: Operation = {
  value: 'upload',
  name: 'Upload',
  action: 'Upload file',
  description:
    'Upload files now and file them later, within one day, with "Create From Uploaded File" of Document',
  builderHint: 'To file a document for a company, use Document: Upload, which does both steps.',
  calls: ['files.create'],
  fields: [inputBinaryField, ...outputFields(fileView)],
  options: [fileNameOption, idempotencyKey],
  hiddenFromTools: NO_UPLOADS_BY_TOOLS,
  async execute(item) {
    const files = await itemFiles(item);
    // Too long a key of the user's own is refused before anything is sent; the last file's is the longest.
    item.ownKey(step(files.length));
    const sent = await uploadSequentially(
      files,
      'file',
      async (file, place) => await sendFile(item, file, step(place)),
    );
    return sent.map((file) => output(item, file, fileView));
  },
};

/** A second file of an item is another write, also under a key that the user gave. */
const step = (place: number): string => (place === 1 ? '' : String(place));
