import type { Agency } from './agency';
import { iso } from './clock';
import { emit } from './events';
import { newId } from './ids';
import { READING_TIME } from './reading';
import type { Document } from './records';
import type { Blob } from './store/blobs';
import { addDocument } from './store/documents';

/** What arrives. */
export interface Arrival {
  companyId: string;
  name: string;
  originalFilename: string;
  /** How it came: `api`, `email`, `drive`, ... */
  source: string;
  mimeType: string;
  blob: Blob;
}

/** A document arrives: it starts in the inbox, is announced, and will be read. Part of the caller's transaction. */
export function fileDocument(agency: Agency, arrival: Arrival): Document {
  const now = agency.clock.now();
  const { blob } = arrival;
  const document: Document = {
    id: newId('doc'),
    accountingDocumentId: null,
    companyId: arrival.companyId,
    name: arrival.name,
    originalFilename: arrival.originalFilename,
    source: arrival.source,
    receivedAt: iso(now),
    stage: 'inbox',
    destination: null,
    duplicateOfDocumentId: null,
    file: { sizeBytes: blob.sizeBytes, mimeType: arrival.mimeType, sha256: blob.sha256 },
    createdAt: iso(now),
    updatedAt: iso(now),
  };
  addDocument(agency.db, document, { blob: blob.name, text: null }, now + READING_TIME);
  emit(agency, {
    type: 'document.received',
    companyId: document.companyId,
    subject: { type: 'document', id: document.id },
  });
  return document;
}
