import { checkFilter, maySee } from '../auth';
import { iso } from '../clock';
import { companyPeriod, monthBounds } from '../monthEnd';
import { ok, type Operation } from '../operation';
import type { CompanyPeriodStatus, DocumentStage } from '../records';
import { countReceived } from '../store/documents';
import { listPeriods, type StoredPeriod } from '../store/periods';
import type { Database } from '../store/database';
import { page, pageLimit } from './paging';

interface Filters {
  companyId?: string;
  status?: CompanyPeriodStatus;
  assigneeUserId?: string;
}

/** Documents received in a month: company -> stage -> how many. */
function receivedIn(db: Database, month: string): Map<string, Map<DocumentStage, number>> {
  const received = new Map<string, Map<DocumentStage, number>>();
  for (const { companyId, stage, count } of countReceived(db, ...monthBounds(month))) {
    received.set(companyId, (received.get(companyId) ?? new Map()).set(stage, count));
  }
  return received;
}

export const list: Operation = (call, agency) => {
  const { companyId, status, assigneeUserId } = call.query as Filters;
  const period = String(call.query.period);
  checkFilter(agency, call.principal, companyId);
  const paging = page(agency, call, 'companyPeriods.list', { period, companyId, status, assigneeUserId });
  const received = receivedIn(agency.db, period);
  const today = iso(agency.clock.now()).slice(0, 10);
  const shown = (entry: StoredPeriod) =>
    companyPeriod(entry, today, received.get(entry.companyId) ?? new Map());
  const entries = listPeriods(agency.db, period, companyId);
  // The last entry of the page before may have left the filters since.
  const start = paging.position ? entries.findIndex(({ id }) => id === paging.position?.[0]) + 1 : 0;
  const matching = entries
    .slice(start)
    .filter((entry) => maySee(call.principal, entry.companyId))
    .filter(
      (entry) => !assigneeUserId || entry.obligations.some((one) => one.assigneeUserId === assigneeUserId),
    )
    .filter((entry) => status === undefined || shown(entry).status === status);
  const limit = pageLimit(call);
  const { data, nextCursor } = paging.reply(matching.slice(0, limit + 1), limit, ({ id }) => [id]);
  return ok({ data: data.map(shown), nextCursor });
};
