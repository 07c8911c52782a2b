import { isDeepStrictEqual } from 'node:util';
import type { Agency } from './agency';
import { iso } from '../time/clock';
import { notFound } from '../server/errors';
import { emit } from './events';
import type { ObligationStatus } from '../records';
import type { SeedObligation } from '../seed/types';
import { findByObligation, savePeriod } from '../store/periods';

/** What changes of an obligation; what is absent stays. */
export interface ObligationChange {
  status?: ObligationStatus;
  assigneeUserId?: string | null;
}

function changed(obligation: SeedObligation, change: ObligationChange, now: string): SeedObligation {
  const status = change.status ?? obligation.status;
  const assigneeUserId =
    change.assigneeUserId === undefined ? obligation.assigneeUserId : change.assigneeUserId;
  if (status === obligation.status) return { ...obligation, assigneeUserId };
  const completion =
    status === 'done'
      ? { completionSource: 'manual' as const, completedAt: now }
      : { completionSource: null, completedAt: null };
  return { ...obligation, status, assigneeUserId, ...completion };
}

/**
 * A person changes status or assignee of an obligation, which emits an event unless all stays as it was.
 * Part of the caller's transaction. @throws ApiError `NOT_FOUND`
 */
export function changeObligation(agency: Agency, id: number, change: ObligationChange): SeedObligation {
  const period = findByObligation(agency.db, id);
  const obligation = period?.obligations.find((one) => one.id === id);
  if (!period || !obligation) throw notFound('obligation');
  const result = changed(obligation, change, iso(agency.clock.now()));
  if (isDeepStrictEqual(result, obligation)) return result;
  savePeriod(agency.db, {
    ...period,
    obligations: period.obligations.map((one) => (one.id === id ? result : one)),
  });
  emit(agency, 'obligation.updated', { id: String(id), companyId: period.companyId });
  return result;
}
