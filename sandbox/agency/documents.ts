import { checkBodyCompany, checkFilter, maySee } from '../access/authentication';
import { newId } from '../ids';
import type { Document, DocumentCreate, Query } from '../records';
import { ApiError, invalid, notFound } from '../server/errors';
import { created, ok, type Call, type Operation } from '../server/operation';
import { page } from '../server/paging';
import type { Blob } from '../store/blobs';
import { findDocument, listDocuments, type DocumentContent, addDocument } from '../store/documents';
import { findFile, useFile } from '../store/files';
import { iso } from '../time/clock';
import type { Agency } from './agency';
import { emit } from './events';
import { READING_TIME } from './text-recognition';

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
  emit(agency, 'document.received', document);
  return document;
}

/** Milliseconds of a date (midnight UTC) or a date-time with its offset. */
function moment(path: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) throw invalid([{ path, message: 'is not a date and time' }]);
  return milliseconds;
}

export const list: Operation = (call, agency) => {
  const { companyId, stage, receivedFrom, receivedTo } = call.query as Query<'documents.list'>;
  checkFilter(agency, call.principal, companyId);
  const paging = page(agency, call, { companyId, stage, receivedFrom, receivedTo });
  const found = listDocuments(agency.db, {
    companies: call.principal.companies,
    companyId,
    stage,
    receivedFrom: moment('receivedFrom', receivedFrom),
    receivedTo: moment('receivedTo', receivedTo),
    after: paging.position?.map(Number),
    limit: paging.limit + 1,
  });
  const { data, nextCursor } = paging.reply(found, ({ position }) => position);
  return ok({ data: data.map(({ document }) => document), nextCursor });
};

function addressed(call: Call, agency: Agency): { document: Document; content: DocumentContent } {
  const found = findDocument(agency.db, String(call.params.id));
  if (!found || !maySee(call.principal, found.document.companyId)) throw notFound('document');
  return found;
}

export const get: Operation = (call, agency) => ok(addressed(call, agency).document);

export const content: Operation = (call, agency) => {
  const { blob, text } = addressed(call, agency).content;
  if (blob !== null) return { status: 200, content: { blob } };
  if (text !== null) return { status: 200, content: { text } };
  throw notFound('document file');
};

/** A file becomes at most one document. */
export const create: Operation = (call, agency) => {
  const { fileId, companyId, filename } = call.body as DocumentCreate;
  const found = findFile(agency.db, fileId, call.principal.credentialId, agency.clock.now());
  if (!found) throw notFound('file');
  checkBodyCompany(agency, call.principal, companyId);
  const { file, blob } = found;
  if (file.documentId !== null) {
    throw new ApiError('CONFLICT', 'This file is already a document.', {
      hint: `It became the document ${file.documentId}.`,
    });
  }
  const document = fileDocument(agency, {
    companyId,
    name: filename ?? file.filename,
    originalFilename: file.filename,
    source: 'api',
    mimeType: file.mimeType,
    blob: { name: blob, sizeBytes: file.sizeBytes, sha256: file.sha256 },
  });
  useFile(agency.db, file, document.id);
  return created(document);
};
