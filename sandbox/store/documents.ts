import type { CompanyPeriod, Document, DocumentStage } from '../records';
import type { Database } from './database';

type RecordRow = { record: string };

/** Where the bytes of a document are: in a blob, in the row itself (seed data), or nowhere. */
export interface DocumentContent {
  blob: string | null;
  text: string | null;
}

/**
 * Adds a document.
 * @param ocrDueAt When it is to be read (milliseconds); null: not at all.
 */
export function addDocument(
  db: Database,
  document: Document,
  content: DocumentContent,
  ocrDueAt: number | null,
): void {
  db.insert('documents', {
    id: document.id,
    companyId: document.companyId,
    stage: document.stage,
    receivedAt: Date.parse(document.receivedAt),
    ocrDueAt,
    blob: content.blob,
    content: content.text,
    record: JSON.stringify(document),
  });
}

/** The document with this ID, with where its bytes are. */
export function findDocument(
  db: Database,
  id: string,
): { document: Document; content: DocumentContent } | undefined {
  const row = db.get<RecordRow & { blob: string | null; content: string | null }>(
    'SELECT record, blob, content FROM documents WHERE id = :id',
    { id },
  );
  return row && { document: JSON.parse(row.record), content: { blob: row.blob, text: row.content } };
}

/** Which documents are listed. */
export interface DocumentSearch {
  companies: 'all' | string[];
  companyId?: string;
  stage?: DocumentStage;
  /** Milliseconds, inclusive. */
  receivedFrom?: number;
  /** Milliseconds, exclusive. */
  receivedTo?: number;
  /** `position` of the last document of the page before. */
  after?: number[];
  limit: number;
}

/** A document of a list, with its place in it. */
export interface ListedDocument {
  document: Document;
  /** `receivedAt` and `seq`. */
  position: number[];
}

/** Documents, newest first. Only the conditions that are given stand in the SQL, so that an index fits. */
export function listDocuments(db: Database, search: DocumentSearch): ListedDocument[] {
  const conditions: [string, Record<string, string | number | undefined>][] = [
    ['companyId = :companyId', { companyId: search.companyId }],
    ['stage = :stage', { stage: search.stage }],
    ['receivedAt >= :from', { from: search.receivedFrom }],
    ['receivedAt < :to', { to: search.receivedTo }],
    [
      '(receivedAt, seq) < (:afterReceivedAt, :afterSeq)',
      { afterReceivedAt: search.after?.[0], afterSeq: search.after?.[1] },
    ],
    [
      'companyId IN (SELECT value FROM json_each(:companies))',
      { companies: search.companies === 'all' ? undefined : JSON.stringify(search.companies) },
    ],
  ];
  const used = conditions.filter(([, values]) => Object.values(values).every((value) => value !== undefined));
  const where = used.length ? `WHERE ${used.map(([sql]) => sql).join(' AND ')}` : '';
  const values: Record<string, string | number> = Object.assign(
    { limit: search.limit },
    ...used.map(([, value]) => value),
  );
  const rows = db.all<RecordRow & { receivedAt: number; seq: number }>(
    `SELECT seq, receivedAt, record FROM documents ${where} ORDER BY receivedAt DESC, seq DESC LIMIT :limit`,
    values,
  );
  return rows.map(({ record, seq, receivedAt }) => ({
    document: JSON.parse(record),
    position: [receivedAt, seq],
  }));
}

/** How many documents each company received between two moments (milliseconds, end exclusive), and where they are. */
export function countReceived(db: Database, from: number, to: number) {
  const rows = db.all<CompanyPeriod['documents'] & { companyId: string }>(
    `SELECT companyId, count(*) AS received, sum(stage = 'inbox') AS inbox, sum(stage = 'accounting') AS accounting
     FROM documents WHERE receivedAt >= :from AND receivedAt < :to AND companyId IS NOT NULL GROUP BY companyId`,
    { from, to },
  );
  return new Map(rows.map(({ companyId, ...counts }) => [companyId, counts]));
}

/** When the next document is to be read. */
export function nextReading(db: Database): number | undefined {
  const row = db.get<{ due: number | null }>(
    'SELECT min(ocrDueAt) AS due FROM documents WHERE ocrDueAt IS NOT NULL',
  );
  return row?.due ?? undefined;
}

/** The documents that are to be read by now. */
export function dueReadings(db: Database, now: number): Document[] {
  return db.records('SELECT record FROM documents WHERE ocrDueAt <= :now ORDER BY ocrDueAt, seq', { now });
}

/** @returns Whether the document was still waiting to be read. */
export function finishReading(db: Database, id: string): boolean {
  return db.run('UPDATE documents SET ocrDueAt = NULL WHERE id = :id AND ocrDueAt IS NOT NULL', { id }) === 1;
}
