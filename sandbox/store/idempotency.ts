import type { Database } from './database';

/** A stored success: which request it answered, and the answer as JSON. */
export type StoredReply = { fingerprint: string; reply: string };

/** @param owner The credential that the key belongs to. */
export function findReply(db: Database, owner: string, key: string, now: number): StoredReply | undefined {
  return db.get<StoredReply>(
    'SELECT fingerprint, reply FROM idempotency WHERE owner = :owner AND key = :key AND expiresAt > :now',
    { owner, key, now },
  );
}

/** Stores a success until a moment, and forgets those whose moment has passed. */
export function saveReply(
  db: Database,
  owner: string,
  key: string,
  stored: StoredReply,
  { now, expiresAt }: { now: number; expiresAt: number },
): void {
  db.run('DELETE FROM idempotency WHERE expiresAt <= :now', { now });
  db.run(
    `INSERT INTO idempotency VALUES (:owner, :key, :fingerprint, :reply, :expiresAt)
     ON CONFLICT (owner, key) DO UPDATE SET fingerprint = :fingerprint, reply = :reply, expiresAt = :expiresAt`,
    { owner, key, ...stored, expiresAt },
  );
}
