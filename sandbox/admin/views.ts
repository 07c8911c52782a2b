import type { AdminView, ApprovalView, KeyView } from './types';
import type { Agency } from '../agency/agency';
import { approvalPath } from '../agency/approvals';
import { THIS_AGENCY } from '../access/authentication';
import { seedKeyValue } from '../access/keys';
import { SCOPES } from '../access/scopes';
import { iso, isoOrNull } from '../time/clock';
import { findAccess, listKeys, type KeyOfAccess } from '../store/accesses';
import { pendingApprovals, type StoredApproval } from '../store/approvals';
import { findCompany } from '../store/companies';
import { newestDeliveries } from '../store/deliveries';
import { listDocuments } from '../store/documents';
import { newestEvents } from '../store/events';
import { openTasks } from '../store/tasks';

/** How many open tasks, and how many of the newest documents, events and deliveries are listed. */
const NEWEST = 20;

const companyName = (agency: Agency, id: string | null): string | null =>
  id === null ? null : (findCompany(agency.db, id)?.name ?? null);

/** An approval as its page shows it. */
export function approvalView(agency: Agency, approval: StoredApproval): ApprovalView {
  const { id, status, operationId, reason, changes } = approval;
  return {
    id,
    status,
    operationId,
    reason,
    changes,
    companyName: companyName(agency, approval.companyId),
    path: approvalPath(id),
    requestedBy: findAccess(agency.db, approval.accessId)?.name ?? approval.accessId,
    createdAt: iso(approval.createdAt),
    expiresAt: iso(approval.expiresAt),
    decidedAt: isoOrNull(approval.decidedAt),
  };
}

function keyView(agency: Agency, { id, access, expiresAt, revokedAt }: KeyOfAccess): KeyView {
  const expired = expiresAt !== null && expiresAt <= agency.clock.now();
  const names = (ids: string[]) => ids.map((id) => companyName(agency, id) ?? id);
  return {
    name: access.name,
    value: seedKeyValue(id),
    scopes: access.scopes.length === SCOPES.length ? 'all' : access.scopes,
    companies: access.companies === 'all' ? 'all' : names(access.companies),
    state: revokedAt !== null ? 'revoked' : expired ? 'expired' : 'active',
    expiresAt: isoOrNull(expiresAt),
  };
}

/** What the page `/admin` shows now. */
export function adminView(agency: Agency): AdminView {
  const { db, clock } = agency;
  const keys = listKeys(db, THIS_AGENCY).map((key) => keyView(agency, key));
  const isActive = ({ state }: KeyView) => state === 'active';
  return {
    agencyUrl: agency.address(),
    now: iso(clock.now()),
    approvals: pendingApprovals(db, clock.now()).map((approval) => approvalView(agency, approval)),
    tasks: openTasks(db).slice(0, NEWEST),
    keys: [...keys.filter(isActive), ...keys.filter((key) => !isActive(key))],
    documents: listDocuments(db, { companies: 'all', limit: NEWEST }).map(({ document }) => ({
      ...document,
      companyName: companyName(agency, document.companyId),
    })),
    events: newestEvents(db, NEWEST).map((event) => ({
      ...event,
      companyName: companyName(agency, event.companyId),
    })),
    deliveries: newestDeliveries(db, NEWEST),
  };
}
