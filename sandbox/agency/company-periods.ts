import { checkFilter, maySee } from '../access/authentication';
import type { CompanyPeriod, CompanyPeriodStatus, Obligation, ObligationStatus, Query } from '../records';
import type { SeedObligation } from '../seed/types';
import { ok, type Operation } from '../server/operation';
import { page } from '../server/paging';
import { countReceived } from '../store/documents';
import { listPeriods, type StoredPeriod } from '../store/periods';
import { iso } from '../time/clock';

const LABELS: Record<ObligationStatus, string> = {
  todo: 'To do',
  in_progress: 'In progress',
  waiting: 'Waiting',
  done: 'Done',
  not_applicable: 'Not applicable',
};

const isClosed = (status: ObligationStatus): boolean => status === 'done' || status === 'not_applicable';

/** An obligation as the API shows it. It is overdue from the day after its due date. */
function publicObligation(obligation: SeedObligation, period: StoredPeriod, today: string): Obligation {
  return {
    ...obligation,
    companyId: period.companyId,
    period: period.period,
    statusLabel: LABELS[obligation.status],
    overdue: !isClosed(obligation.status) && obligation.dueDate < today,
  };
}

/** Every obligation counts once: `total` is the sum of the four others. */
function countsOf(obligations: Obligation[]): CompanyPeriod['counts'] {
  const count = (matches: (obligation: Obligation) => boolean) => obligations.filter(matches).length;
  return {
    total: obligations.length,
    done: count(({ status }) => status === 'done'),
    open: count(({ status, overdue }) => !isClosed(status) && !overdue),
    overdue: count(({ overdue }) => overdue),
    notApplicable: count(({ status }) => status === 'not_applicable'),
  };
}

function statusOf({ overdue, open }: CompanyPeriod['counts']): CompanyPeriodStatus {
  if (overdue > 0) return 'overdue';
  return open > 0 ? 'open' : 'done';
}

/**
 * A company's month as the API shows it, with all that follows from its obligations and documents.
 * @param today `YYYY-MM-DD`
 * @param documents How many the company received in the month.
 */
function companyPeriod(
  period: StoredPeriod,
  today: string,
  documents: CompanyPeriod['documents'],
): CompanyPeriod {
  const obligations = period.obligations.map((obligation) => publicObligation(obligation, period, today));
  const counts = countsOf(obligations);
  const dueDates = obligations.filter(({ status }) => !isClosed(status)).map(({ dueDate }) => dueDate);
  return {
    ...period,
    status: statusOf(counts),
    counts,
    nextDueDate: dueDates.sort()[0] ?? null,
    obligations,
    documents,
  };
}

/** The first moment of a month (`YYYY-MM`), and of the next one, in milliseconds UTC. */
export function monthBounds(month: string): [from: number, to: number] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const moment = (monthIndex: number) => new Date(0).setUTCFullYear(year, monthIndex, 1);
  return [moment(number - 1), moment(number)];
}

export const list: Operation = (call, agency) => {
  const { period, companyId, status, assigneeUserId } = call.query as Query<'companyPeriods.list'>;
  checkFilter(agency, call.principal, companyId);
  const paging = page(agency, call, { period, companyId, status, assigneeUserId });
  const received = countReceived(agency.db, ...monthBounds(period));
  const today = iso(agency.clock.now()).slice(0, 10);
  const shown = (entry: StoredPeriod) =>
    companyPeriod(entry, today, received.get(entry.companyId) ?? { received: 0, inbox: 0, accounting: 0 });
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
  const { data, nextCursor } = paging.reply(matching, ({ id }) => [id]);
  return ok({ data: data.map(shown), nextCursor });
};
