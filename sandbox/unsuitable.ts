import { ApiError } from './errors';

/** The type of a file that names none. */
export const NO_TYPE = 'application/octet-stream';

/** Executables and scripts: by the extension of the name ... */
const EXTENSIONS = new Set(
  'apk app bat bin cmd com cpl deb dll dmg exe hta jar js jse lnk mjs msi ps1 psm1 py rb reg rpm scr sh vb vbe vbs wsf'.split(
    ' ',
  ),
);

/** ... or by type. */
const TYPES = new Set([
  'application/java-archive',
  'application/javascript',
  'application/vnd.microsoft.portable-executable',
  'application/x-dosexec',
  'application/x-executable',
  'application/x-javascript',
  'application/x-msdos-program',
  'application/x-msdownload',
  'application/x-msi',
  'application/x-sh',
  'application/x-shellscript',
  'text/javascript',
  'text/x-python',
  'text/x-shellscript',
]);

/** @throws ApiError `UNSUPPORTED_MEDIA_TYPE` for executables and scripts. */
export function checkSuitable(filename: string, mimeType: string): void {
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  const [essence = ''] = mimeType.toLowerCase().split(';');
  if (!EXTENSIONS.has(extension) && !TYPES.has(essence.trim())) return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Programs and scripts are not taken.', {
    hint: 'Upload the document itself, as PDF, image, XML or the like.',
  });
}
