import { ApiError } from '../server/errors';

/** The type of a file that names none. */
export const NO_TYPE = 'application/octet-stream';

/** Executables and scripts: by the extension of the name ... */
const EXTENSIONS = new Set(
  [
    'apk app class com cpl deb dll dmg dylib elf exe jar lnk msi pif reg rpm run scr so wasm',
    'bash bat cjs cmd csh hta js jse ksh lua mjs php pl ps1 psm1 py pyw rb sh tcl vb vbe vbs wsf zsh',
  ].flatMap((names) => names.split(' ')),
);

/** ... or by type. */
const TYPES = new Set([
  'application/java-archive',
  'application/ecmascript',
  'application/javascript',
  'application/vnd.microsoft.portable-executable',
  'application/wasm',
  'application/x-bat',
  'application/x-csh',
  'application/x-dosexec',
  'application/x-executable',
  'application/x-httpd-php',
  'application/x-javascript',
  'application/x-mach-binary',
  'application/x-msdos-program',
  'application/x-msdownload',
  'application/x-msi',
  'application/x-perl',
  'application/x-powershell',
  'application/x-python',
  'application/x-sh',
  'application/x-sharedlib',
  'application/x-shellscript',
  'text/ecmascript',
  'text/javascript',
  'text/x-perl',
  'text/x-php',
  'text/x-python',
  'text/x-sh',
  'text/x-shellscript',
]);

/** @throws ApiError `UNSUPPORTED_MEDIA_TYPE` for executables and scripts. */
export function checkSuitable(filename: string, mimeType: string): void {
  // Windows drops dots and spaces at the end of a name.
  const [, extension = ''] = /\.([^.]*?)[. ]*$/.exec(filename.toLowerCase()) ?? [];
  const [essence = ''] = mimeType.toLowerCase().split(';');
  if (!EXTENSIONS.has(extension) && !TYPES.has(essence.trim())) return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Programs and scripts are not accepted.', {
    hint: 'Upload the document itself, e.g. as a PDF, image or XML file.',
  });
}
