import fc from 'fast-check';
import { fileName } from '../../../nodes/AccountingAgency/files/file-name';

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
