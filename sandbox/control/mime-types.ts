import { NO_TYPE } from '../agency/file-types';

const TYPES: Record<string, string> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
};

/** The type of a file that arrives without one, by the extension of its name. */
export function mimeTypeOf(filename: string): string {
  return TYPES[filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()] ?? NO_TYPE;
}
