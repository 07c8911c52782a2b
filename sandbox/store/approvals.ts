import type { Change } from '../records';
import type { Database } from './database';

/** An approval as it is stored. Moments are milliseconds. */
export interface StoredApproval {
  id: string;
  accessId: string;
  /** Hash of the request that it covers. */
  fingerprint: string;
  /** What has become of it. */
  status: 'pending' | 'approved' | 'rejected' | 'used' | 'expired';
  operationId: string;
  companyId: string | null;
  reason: string;
  changes: Change[];
  createdAt: number;
  expiresAt: number;
  decidedAt: number | null;
}

type ApprovalRow = Omit<StoredApproval, 'changes'> & { changes: string };

/** An approval past its day is expired, unless it was used or rejected before. */
const approvalOf = (row: ApprovalRow, now: number): StoredApproval => ({
  ...row,
  status: row.expiresAt <= now && ['pending', 'approved'].includes(row.status) ? 'expired' : row.status,
  changes: JSON.parse(row.changes),
});

/** Adds an approval. */
export function addApproval(db: Database, approval: StoredApproval): void {
  db.insert('approvals', { ...approval, changes: JSON.stringify(approval.changes) });
}

/** The approval with this ID, as it counts now. */
export function findApproval(db: Database, id: string, now: number): StoredApproval | undefined {
  const row = db.get<ApprovalRow>('SELECT * FROM approvals WHERE id = :id', { id });
  return row && approvalOf(row, now);
}

/** The approval of this very request that the access already waits for. */
export function findPending(
  db: Database,
  accessId: string,
  fingerprint: string,
  now: number,
): StoredApproval | undefined {
  const row = db.get<ApprovalRow>(
    `SELECT * FROM approvals WHERE accessId = :accessId AND fingerprint = :fingerprint AND status = 'pending'
     AND expiresAt > :now`,
    { accessId, fingerprint, now },
  );
  return row && approvalOf(row, now);
}

/** Approvals that wait for a decision, newest first. */
export function pendingApprovals(db: Database, now: number): StoredApproval[] {
  return db
    .all<ApprovalRow>(
      `SELECT * FROM approvals WHERE status = 'pending' AND expiresAt > :now ORDER BY createdAt DESC, id`,
      { now },
    )
    .map((row) => approvalOf(row, now));
}

/** Notes what has become of an approval. */
export function setApprovalStatus(
  db: Database,
  { id, status, decidedAt }: Pick<StoredApproval, 'id' | 'status' | 'decidedAt'>,
): void {
  db.update('approvals', id, { status, decidedAt });
}
