import type { INodeProperties } from 'n8n-workflow';
import { UNKNOWN_TYPE } from '../../../../shared/api/requests/streams';
import { isEmpty, wholeNumber } from '../../../../shared/values/text';
import type { Item } from '../../../engine/item';
import { essenceOf, mediaType } from '../../../files/name-and-type';
import { type ItemFile, itemFiles } from '../../../files/upload-files';

const LABEL = 'Leave Out Images Under (KB)';
const LARGEST_KB = 1024;

/** Logos of email signatures and the like. */
export const smallImages: INodeProperties = {
  displayName: LABEL,
  name: 'leaveOutImagesUnderKb',
  type: 'number',
  typeOptions: { minValue: 0, maxValue: LARGEST_KB, numberPrecision: 0 },
  // Not 0: adding the option opts in.
  default: 20,
  description:
    'Images smaller than this are not uploaded, such as logos in email signatures. An item without any other file outputs nothing.',
};

/**
 * The files of an item that are to be filed. Without one, the item is as good as done: an email is in order that holds
 * nothing but the logo of a signature.
 *
 * @throws InputError like `itemFiles`
 */
export async function filesToFile(item: Item): Promise<ItemFile[]> {
  const wish = item.option('leaveOutImagesUnderKb');
  const smallest = isEmpty(wish) ? 0 : wholeNumber(LABEL, wish, 0, LARGEST_KB) * 1024;
  let leftOut = 0;
  const files = await itemFiles(item, ({ mimeType, name = '', length }) => {
    // By its name too: a scanner may call "invoice.pdf" an image, and what was left out is missed by nobody.
    const types = [mimeType, mediaType(undefined, name)].filter((type) => type !== UNKNOWN_TYPE);
    const isSmall =
      length < smallest && types.length > 0 && types.every((type) => essenceOf(type).startsWith('image/'));
    if (isSmall) leftOut += 1;
    return !isSmall;
  });
  item.count('Small images left out', leftOut);
  if (files.length === 0) item.count('Items without any other file', 1);
  return files;
}
