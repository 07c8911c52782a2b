import standard, { Mime } from 'mime/lite';
import { UNKNOWN_TYPE } from '../../shared/api/requests/streams';

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

/** Whether files of a type may have this extension, as far as is known of any type. */
export function isKnownExtension(extension: string): boolean {
  return typeOfName(`.${extension}`) !== null;
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
