import type { File } from '../records';
import type { Database } from './database';

/** An uploaded file, with the blob of its bytes. */
export interface StoredFile {
  file: File;
  blob: string;
}

/** @param owner The credential that uploaded it, which alone may see it. */
export function addFile(db: Database, { file, blob }: StoredFile, owner: string): void {
  db.insert('files', {
    id: file.id,
    owner,
    blob,
    expiresAt: Date.parse(file.expiresAt),
    record: JSON.stringify(file),
  });
}

/** The file, unless it has expired unused. */
export function findFile(db: Database, id: string, owner: string, now: number): StoredFile | undefined {
  const row = db.get<{ record: string; blob: string }>(
    `SELECT record, blob FROM files
     WHERE id = :id AND owner = :owner AND (documentId IS NOT NULL OR expiresAt > :now)`,
    { id, owner, now },
  );
  return row && { file: JSON.parse(row.record), blob: row.blob };
}

/** Notes which document the file has become. */
export function useFile(db: Database, file: File, documentId: string): void {
  db.update('files', file.id, { documentId, record: JSON.stringify({ ...file, documentId }) });
}

/** When the next unused file expires. */
export function nextExpiry(db: Database): number | undefined {
  const row = db.get<{ due: number | null }>(
    'SELECT min(expiresAt) AS due FROM files WHERE documentId IS NULL',
  );
  return row?.due ?? undefined;
}

/** Deletes the files that have expired unused. @returns Their blobs. */
export function deleteExpired(db: Database, now: number): string[] {
  const rows = db.all<{ blob: string }>(
    'DELETE FROM files WHERE documentId IS NULL AND expiresAt <= :now RETURNING blob',
    { now },
  );
  return rows.map((row) => row.blob);
}

/** Every blob that a file or a document needs. */
export function usedBlobs(db: Database): Set<string> {
  const rows = db.all<{ blob: string }>(
    'SELECT blob FROM files UNION SELECT blob FROM documents WHERE blob IS NOT NULL',
  );
  return new Set(rows.map((row) => row.blob));
}
