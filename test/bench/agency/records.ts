import type { Schemas } from '../../../nodes/shared/api/routes';

const WHEN = '2026-11-27T10:00:00.000Z';
const SHA256 = '0'.repeat(64);

/** A document as the API shows it, the same for the same number. */
export function documentNumber(number: number, companyId = 'company-1'): Schemas['Document'] {
  const id = `doc_${String(number).padStart(8, '0')}`;
  return {
    id,
    accountingDocumentId: number,
    companyId,
    name: `Invoice ${number} of Põhjala Ehitus OÜ, November`,
    originalFilename: `invoice-${number}.pdf`,
    source: 'api',
    receivedAt: WHEN,
    stage: 'inbox',
    destination: null,
    duplicateOfDocumentId: null,
    file: { sha256: SHA256, mimeType: 'application/pdf', sizeBytes: 200_000 + number },
    createdAt: WHEN,
    updatedAt: WHEN,
  };
}

/** An uploaded file as the API shows it. */
export function fileNumber(number: number, filename: string, sizeBytes: number): Schemas['File'] {
  return {
    id: `file_${String(number).padStart(8, '0')}`,
    filename,
    mimeType: 'application/pdf',
    sizeBytes,
    sha256: SHA256,
    createdAt: WHEN,
    expiresAt: '2126-11-27T10:00:00.000Z',
    documentId: null,
  };
}
