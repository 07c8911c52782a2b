import fc from 'fast-check';
import { extensionOf, fileName, mediaType } from '../../../nodes/AccountingAgency/files/name-and-type';

const named = (name: string | undefined, mimeType: string, fileExtension?: string) =>
  fileName(name, { data: '', mimeType, fileExtension });

test.each([
  ['x.pdf', 'application/pdf', undefined, 'x.pdf'],
  ['x.PDF', 'application/pdf', undefined, 'x.PDF'],
  ['archive.7z', 'application/octet-stream', undefined, 'archive.7z'],
  ['mail.p7m', 'application/octet-stream', undefined, 'mail.p7m'],
  ['x.pdf', 'image/png', 'png', 'x.pdf'],
  ['Invoice 12.2024', 'application/pdf', '2024', 'Invoice 12.2024.pdf'],
  ['Dr. Tamm', 'application/pdf', ' Tamm', 'Dr. Tamm.pdf'],
  ['arve', 'APPLICATION/PDF; charset=binary', undefined, 'arve.pdf'],
  ['arve', 'application/x-tar', 'tar', 'arve.tar'],
  ['arve.', 'application/pdf', undefined, 'arve..pdf'],
  ['  ', 'image/jpeg', 'jpeg', 'document.jpg'],
  ['Arve nr.A12', 'application/pdf', 'A12', 'Arve nr.A12.pdf'],
  ['Dr.Tamm', 'application/pdf', 'Tamm', 'Dr.Tamm.pdf'],
  ['Dr.Tamm', 'application/pdf; charset=binary', undefined, 'Dr.Tamm.pdf'],
  ['e-arve nr.B7', 'text/xml', 'B7', 'e-arve nr.B7.xml'],
  ['x.pdf.PDF', 'application/pdf', 'PDF', 'x.pdf.PDF'],
  ['x.jpeg', 'image/jpeg', 'jpeg', 'x.jpeg'],
  ['x.JPG', 'image/jpeg', 'jpg', 'x.JPG'],
  ['x.tif', 'image/tiff', 'tif', 'x.tif'],
  ['x.htm', 'text/html', 'htm', 'x.htm'],
  ['x.csv', 'text/plain', 'csv', 'x.csv'],
  ['statement.mt940', 'text/plain', 'mt940', 'statement.mt940'],
  ['tool.exe', 'application/pdf', 'exe', 'tool.exe'],
  ['arve.ubl', 'application/xml', 'ubl', 'arve.ubl'],
  ['arve.xml.p7m', 'application/xml', 'p7m', 'arve.xml.p7m'],
  ['leping.asice', 'application/zip', 'asice', 'leping.asice'],
  ['leping.bdoc', 'application/vnd.etsi.asic-e+zip', 'bdoc', 'leping.bdoc'],
  ['tabel.xlsm', 'application/vnd.ms-excel', 'xlsm', 'tabel.xlsm'],
  ['Dr.Tamm', 'application/octet-stream', 'Tamm', 'Dr.Tamm'],
  ['Dr.Tamm', 'application/x-unknown', 'Tamm', 'Dr.Tamm'],
  [undefined, 'text/xml', 'xml', 'document.xml'],
])('%p of type %s (%p) is %p', (name, type, extension, made) =>
  expect(named(name, type, extension)).toBe(made),
);

test.each([
  ['scan', 'application/octet-stream', 'bin'],
  ['scan', '', undefined],
  ['scan', 'constructor', undefined],
  ['scan', 'application/x-unknown', undefined],
  ['Dr. Tamm', 'application/x-unknown', ' Tamm'],
])('%p of type %p gives no extension', (name, type, extension) => {
  expect(() => named(name, type, extension)).toThrow(
    /^File Name "(scan|Dr\. Tamm)" has no extension, and the type /,
  );
});

test('a name with an extension stays as it is, up to 255 characters', () => {
  const names = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 100 })
    .map((name) => `${name.trim()}x.pdf`);
  fc.assert(fc.property(names, (name) => expect(named(name, 'application/pdf')).toBe(name.trim())));
  expect(named(`${'🧾'.repeat(251)}.pdf`, 'application/pdf')).toContain('.pdf');
  expect(() => named(`${'🧾'.repeat(252)}.pdf`, 'application/pdf')).toThrow('File Name has 256 characters');
  expect(() => named('x'.repeat(252), 'application/pdf')).toThrow('File Name has 256 characters');
});

test('is made only once: a made name is not extended again', () => {
  const made = named('x', 'application/pdf');
  expect(named(made, 'application/pdf')).toBe(made);
});

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
