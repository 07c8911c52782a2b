import type {
  CompanyPeriod,
  CompanyPeriodStatus,
  DocumentStage,
  Obligation,
  ObligationStatus,
} from './records';
import type { SeedObligation } from './seed/types';
import type { StoredPeriod } from './store/periods';

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
 * @param received How many documents the company received in the month, by stage.
 */
export function companyPeriod(
  period: StoredPeriod,
  today: string,
  received: Map<DocumentStage, number>,
): CompanyPeriod {
  const obligations = period.obligations.map((obligation) => publicObligation(obligation, period, today));
  const counts = countsOf(obligations);
  const dueDates = obligations.filter(({ status }) => !isClosed(status)).map(({ dueDate }) => dueDate);
  return {
    id: period.id,
    companyId: period.companyId,
    companyName: period.companyName,
    period: period.period,
    primaryAccountantUserId: period.primaryAccountantUserId,
    vatPayer: period.vatPayer,
    hasEmployees: period.hasEmployees,
    messages: period.messages,
    status: statusOf(counts),
    counts,
    nextDueDate: dueDates.sort()[0] ?? null,
    obligations,
    documents: {
      received: [...received.values()].reduce((sum, count) => sum + count, 0),
      inbox: received.get('inbox') ?? 0,
      accounting: received.get('accounting') ?? 0,
    },
  };
}

/** The first moment of a month (`YYYY-MM`), and of the next one, in milliseconds UTC. */
export function monthBounds(month: string): [from: number, to: number] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const moment = (monthIndex: number) => new Date(0).setUTCFullYear(year, monthIndex, 1);
  return [moment(number - 1), moment(number)];
}
