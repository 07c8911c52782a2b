import type { IBinaryData, INodeProperties } from 'n8n-workflow';
import { InputError } from '../../shared/input-error';
import { optionalText, withinLength } from '../../shared/values/text';
import type { Item } from '../engine/item';
import { UNKNOWN_TYPE } from '../../shared/api/requests/streams';
import { essenceOf, extensionOf, isKnownExtension } from './media-type';

/** The name of a file as a field of the form. */
export const FILE_NAME = 'File Name';

/** Spec: Limits, filename. */
const LONGEST_NAME = 255;

/** An extension has a letter in it: "Invoice 12.2024" has none. */
const EXTENSION = /\.(?=\d*[A-Za-z])[A-Za-z0-9]{1,10}$/;

/** Types under which files of any ending travel, e.g. bank statements: an ending tells more than such a type. */
const GENERAL_TYPES = ['application/zip', 'text/plain'];

/** Option of every upload: another name than the file's own. */
export const fileNameOption: INodeProperties = {
  displayName: FILE_NAME,
  name: 'fileName',
  type: 'string',
  default: '',
  placeholder: 'e.g. invoice.pdf',
  description: 'Name for the document, up to 255 characters. If empty, the name of the file.',
};

/**
 * The name that the user gives a file instead of its own.
 *
 * @throws InputError when it is too long
 */
export function givenName(item: Item): string | undefined {
  return tidyName(optionalText(FILE_NAME, item.option('fileName'), LONGEST_NAME));
}

/**
 * A name without what nobody sees in it and no disk takes: line breaks, as mail puts them into long names, become a
 * space, and invisible marks and dots at the end go, behind which ".pdf" would be no extension.
 *
 * @returns `undefined` when nothing is left
 */
export function tidyName(name: string | undefined): string | undefined {
  const tidy = name?.replace(/\s*\p{Cc}+\s*/gu, ' ').replace(/^[\s\p{Cf}]+|[\s.\p{Cf}]+$/gu, '');
  return tidy || undefined;
}

/**
 * The name under which a file is sent: its own, with an extension of its type if it has none
 * (spec: `files.create`, a filename with extension).
 *
 * @param name the name that the file has or was given, see `tidyName`
 * @param label what the name is called in messages
 * @throws InputError when there is no extension to be had, or the name is too long
 */
export function fileName(
  name: string | undefined,
  { mimeType, fileExtension }: IBinaryData,
  label = FILE_NAME,
): string {
  const own = name?.trim() || 'document';
  const type = essenceOf(mimeType);
  const ofType = extensionOf(type);
  const ending = EXTENSION.exec(own)?.[0].slice(1).toLowerCase();
  // Of a type that is known, ".A12" in "Arve nr.A12" is no extension.
  const isOdd = ofType !== undefined && !GENERAL_TYPES.includes(type) && !isKnownExtension(ending ?? '');
  const isWhole = ending !== undefined && !isOdd;
  if (isWhole) return withinLength(label, own, LONGEST_NAME);
  // n8n takes the extension from the name, and what follows a dot there may be anything ("Dr. Tamm"); bytes of an
  // unknown type it calls "bin", which says nothing of the file.
  const said = type !== UNKNOWN_TYPE && EXTENSION.test(`.${fileExtension}`) ? fileExtension : undefined;
  const extension = ofType ?? said;
  if (extension !== undefined) return withinLength(label, `${own}.${extension}`, LONGEST_NAME);
  throw new InputError(
    FILE_NAME,
    `"${own}" has no extension, and the type ${type || 'of the file'} gives none.`,
    'Add the option File Name with an extension, e.g. invoice.pdf.',
  );
}
