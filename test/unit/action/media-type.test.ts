import fc from 'fast-check';
import { fileName } from '../../../nodes/AccountingAgency/files/file-name';
import { extensionOf, mediaType } from '../../../nodes/AccountingAgency/files/media-type';

const TELLING_NOTHING = [
  undefined,
  null,
  '',
  ' ',
  'pdf',
  'PDF document',
  'application/',
  '/pdf',
  'application/pdf\r\nX-Other: 1',
  42,
  {},
  'application/octet-stream',
  'Application/Octet-Stream; charset=binary',
  'binary/octet-stream',
  'application/force-download',
  'application/x-download',
  'application/unknown',
];

/** What accountants send, by extension. */
const TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  xml: 'application/xml',
  json: 'application/json',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  htm: 'text/html',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  numbers: 'application/vnd.apple.numbers',
  rtf: 'application/rtf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jfif: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  heic: 'image/heic',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  zip: 'application/zip',
  '7z': 'application/x-7z-compressed',
  rar: 'application/vnd.rar',
  tar: 'application/x-tar',
  gz: 'application/gzip',
  tgz: 'application/gzip',
  asice: 'application/vnd.etsi.asic-e+zip',
  bdoc: 'application/vnd.etsi.asic-e+zip',
  ddoc: 'application/x-ddoc',
  p7m: 'application/pkcs7-mime',
  p7s: 'application/pkcs7-signature',
  camt: 'application/xml',
  camt053: 'application/xml',
  xades: 'application/xml',
  ubl: 'application/xml',
  xbrl: 'application/xml',
};

describe.each(TELLING_NOTHING)('A type that says nothing (%p)', (given) => {
  test.each(Object.entries(TYPES))('gives way to the extension %s', (extension, type) => {
    expect(mediaType(given, `arve.${extension}`)).toBe(type);
    expect(mediaType(given, `ARVE.${extension.toUpperCase()}`)).toBe(type);
  });

  test.each(['zzz', 'A12', 'mt940', 'dat', 'bat', 'Tamm', 'constructor'])(
    'stays bytes of an unknown kind for the extension %s',
    (extension) => expect(mediaType(given, `arve.${extension}`)).toBe('application/octet-stream'),
  );
});

test.each([
  ['image/png', 'arve.pdf'],
  ['text/csv; charset=utf-8', 'arve.txt'],
  ['APPLICATION/PDF', 'x.bin'],
  ['text/plain', 'arve.xml'],
  ['application/x-own', 'arve.pdf'],
])('A type that says something is kept: %s of %s', (given, name) => {
  expect(mediaType(` ${given} `, name)).toBe(given);
});

test('each of these types gives a name its extension, which leads back to the type', () => {
  for (const type of new Set(Object.values(TYPES))) {
    expect([type, mediaType('', `x.${extensionOf(type)}`)]).toEqual([type, type]);
  }
});

test('whatever a type and a name are, what is sent is a type that a header carries, and never the exact form type', () => {
  const types = fc.oneof(fc.anything(), fc.string(), fc.constantFrom('application/x-www-form-urlencoded'));
  fc.assert(
    fc.property(types, fc.string(), (given, name) => {
      const type = mediaType(given, `${name}.pdf`);
      expect(type).toMatch(/^[\w.+-]+\/[\w.+-]+(\s*;[\x20-\x7e]*)?$/);
      expect(type).not.toBe('application/x-www-form-urlencoded');
    }),
  );
});

test('the extension that a name gets for its type is one that the type is known by', () => {
  for (const [extension, mimeType] of Object.entries(TYPES)) {
    const name = fileName('Arve nr.A12 ', { data: '', mimeType });
    // Texts and archives may have any ending.
    const isGeneral = ['text/plain', 'application/zip'].includes(mimeType);
    expect([extension, name]).toEqual([
      extension,
      isGeneral ? 'Arve nr.A12' : `Arve nr.A12.${extensionOf(mimeType)}`,
    ]);
  }
});
