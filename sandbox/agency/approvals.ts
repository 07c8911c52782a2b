import type { Principal } from '../access/authentication';
import { fingerprint, newId } from '../ids';
import type { Change } from '../records';
import { ApiError, notFound } from '../server/errors';
import {
  addApproval,
  findApproval,
  findPending,
  setApprovalStatus,
  type StoredApproval,
} from '../store/approvals';
import { DAY, iso } from '../time/clock';
import type { Agency } from './agency';

/** A change that needs an administrator's approval. */
export interface GuardedChange {
  operationId: string;
  companyId: string;
  reason: string;
  /** The body of the request, which the approval is for. */
  request: unknown;
  /** What it would change now, for the administrator to see. */
  changes: Change[];
}

/** Path of an approval's page. */
export const approvalPath = (id: string): string => `/admin/approvals/${id}`;

const DECIDE =
  'An agency administrator decides at details.approvalUrl; then send the same request with the header Approval-Id.';

const REFUSALS = {
  required: ['APPROVAL_REQUIRED', 'This change needs the approval of an administrator.', DECIDE],
  pending: ['APPROVAL_PENDING', 'This change is waiting for an administrator to decide.', DECIDE],
  rejected: [
    'APPROVAL_REJECTED',
    'An administrator rejected this change.',
    'To ask again, send the request without the header Approval-Id.',
  ],
} as const;

function refusal(agency: Agency, why: keyof typeof REFUSALS, approval: StoredApproval): ApiError {
  const [code, message, hint] = REFUSALS[why];
  const approvalUrl = `${agency.address()}${approvalPath(approval.id)}`;
  return new ApiError(code, message, {
    hint,
    details: {
      approvalId: approval.id,
      approvalUrl,
      expiresAt: iso(approval.expiresAt),
      reason: approval.reason,
    },
  });
}

function request(agency: Agency, principal: Principal, change: GuardedChange, hash: string): StoredApproval {
  const now = agency.clock.now();
  const waiting = findPending(agency.db, principal.accessId, hash, now);
  if (waiting) return waiting;
  const approval: StoredApproval = {
    id: newId('apr'),
    accessId: principal.accessId,
    fingerprint: hash,
    status: 'pending',
    operationId: change.operationId,
    companyId: change.companyId,
    reason: change.reason,
    changes: change.changes,
    createdAt: now,
    expiresAt: now + DAY,
    decidedAt: null,
  };
  addApproval(agency.db, approval);
  return approval;
}

/**
 * Uses up the approval that covers this very request, whatever else has changed since it was asked for.
 * @returns What to answer instead when there is none (yet). What was stored for it must be kept.
 */
export function useApproval(
  agency: Agency,
  principal: Principal,
  change: GuardedChange,
  approvalId: string | undefined,
): ApiError | undefined {
  const hash = fingerprint([change.operationId, change.companyId, change.request]);
  const given =
    approvalId === undefined ? undefined : findApproval(agency.db, approvalId, agency.clock.now());
  if (given?.accessId === principal.accessId && given.fingerprint === hash) {
    if (given.status === 'approved') {
      setApprovalStatus(agency.db, { ...given, status: 'used' });
      return undefined;
    }
    if (given.status === 'pending' || given.status === 'rejected') {
      return refusal(agency, given.status, given);
    }
  }
  return refusal(agency, 'required', request(agency, principal, change, hash));
}

/** @throws ApiError `NOT_FOUND`, or `CONFLICT` when it is decided or expired. */
export function decide(agency: Agency, id: string, decision: 'approved' | 'rejected'): StoredApproval {
  const now = agency.clock.now();
  const approval = findApproval(agency.db, id, now);
  if (!approval) throw notFound('approval');
  if (approval.status !== 'pending')
    throw new ApiError('CONFLICT', `This approval is already ${approval.status}.`);
  const decided = { ...approval, status: decision, decidedAt: now };
  setApprovalStatus(agency.db, decided);
  return decided;
}
