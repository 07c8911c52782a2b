import standard, { Mime } from 'mime/lite';
import type { IBinaryData, INodeProperties } from 'n8n-workflow';
import { UNKNOWN_TYPE } from '../../shared/api/routes';
import { InputError } from '../../shared/input-error';
import { optionalText, withinLength } from '../../shared/values/text';
import type { Item } from '../engine/item';

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
  const [ending] = EXTENSION.exec(own) ?? [];
  // Of a type that is known, ".A12" in "Arve nr.A12" is no extension.
  const hasAnyEnding = ofType === undefined || GENERAL_TYPES.includes(type);
  const isWhole = ending !== undefined && (hasAnyEnding || typeOfName(ending) !== null);
  if (isWhole) return withinLength(label, own, LONGEST_NAME);
  // n8n takes the extension from the name, and what follows a dot there may be anything ("Dr. Tamm"); bytes of an
  // unknown type it calls "bin", which says nothing of the file.
  const said = type !== UNKNOWN_TYPE && EXTENSION.test(`.${fileExtension}`) ? fileExtension : undefined;
  const extension = ofType ?? said;
  if (extension !== undefined) return withinLength(label, `${own}.${extension}`, LONGEST_NAME);
  throw new InputError(
    FILE_NAME,
    `"${own}" has no extension, and the type ${type || 'of the file'} has no known extension.`,
    'Add the option File Name with an extension, e.g. invoice.pdf.',
  );
}

/** What accountants send besides the standard types of the library; looked up first. */
const further = new Mime({
  'application/edifact': ['edi'],
  'application/gzip': ['tgz'],
  'application/vnd.apple.keynote': ['key'],
  'application/vnd.apple.numbers': ['numbers'],
  'application/vnd.apple.pages': ['pages'],
  'application/vnd.etsi.asic-e+zip': ['asice', 'bdoc', 'sce'],
  'application/vnd.etsi.asic-s+zip': ['asics', 'scs'],
  'application/vnd.lt.archyvai.adoc-2008': ['adoc'],
  'application/vnd.ms-excel': ['xls'],
  'application/vnd.ms-excel.sheet.binary.macroenabled.12': ['xlsb'],
  'application/vnd.ms-excel.sheet.macroenabled.12': ['xlsm'],
  'application/vnd.ms-outlook': ['msg'],
  'application/vnd.ms-powerpoint': ['ppt'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.rar': ['rar'],
  'application/x-7z-compressed': ['7z'],
  'application/x-cdoc': ['cdoc'],
  'application/x-ddoc': ['ddoc'],
  'application/x-pkcs7-certificates': ['p7b'],
  'application/x-tar': ['tar'],
  'application/x-x509-ca-cert': ['crt'],
  'application/xml': ['camt', 'camt052', 'camt053', 'camt054', 'ubl', 'xades', 'xbrl'],
  'image/jpeg': ['jfif'],
  'text/vcard': ['vcf'],
  // Without a type of their own. Programs are among them, so that none gets the name of a document.
  [UNKNOWN_TYPE]: ['bat', 'cmd', 'dat', 'dbf', 'ps1', 'pst', 'sh', 'vbs'],
});

/** A type, with parameters or without (RFC 9110, 8.3.1), and not so long that no server would take its header. */
const MEDIA_TYPE = /^(?=.{1,500}$)[\w.+-]+\/[\w.+-]+(\s*;[\x20-\x7e]*)?$/;

/** Types that say no more than that there are bytes. */
const GENERIC_TYPES = new Set([
  UNKNOWN_TYPE,
  'application/binary',
  'application/download',
  'application/force-download',
  'application/unknown',
  'application/x-binary',
  'application/x-download',
  'binary/octet-stream',
]);

/** n8n's HTTP helper takes bytes of exactly this type for the pairs of a form, and fails. */
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A type without its parameters, in lower case; empty for anything that is no type. */
export function essenceOf(type: unknown): string {
  const text = typeof type === 'string' ? type.trim() : '';
  return MEDIA_TYPE.test(text) ? (text.split(';', 1)[0]?.trim().toLowerCase() ?? '') : '';
}

/** The extension of a type; `undefined` for one that is unknown, or says nothing of the bytes. */
export function extensionOf(type: string): string | undefined {
  const essence = essenceOf(type);
  if (!isTelling(essence)) return undefined;
  return standard.getExtension(essence) ?? further.getExtension(essence) ?? undefined;
}

/**
 * The type with which a file is sent: its own, or that of its name when its own says nothing or is no type.
 *
 * @param given what the node before says of the file
 * @param name with its extension
 */
export function mediaType(given: unknown, name: string): string {
  const type = isTelling(essenceOf(given)) ? String(given).trim() : (typeOfName(name) ?? UNKNOWN_TYPE);
  // Types are the same in upper and lower case, but not to the helper.
  return type === FORM_TYPE ? 'Application/x-www-form-urlencoded' : type;
}

const isTelling = (essence: string): boolean => essence !== '' && !GENERIC_TYPES.has(essence);

function typeOfName(name: string): string | null {
  return further.getType(name) ?? standard.getType(name);
}
