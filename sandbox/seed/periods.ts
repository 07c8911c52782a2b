import type { Company } from '../records';
import { DAY, HOUR, iso } from '../time/clock';
import { date, dayOf, END, MONTHS, nextMonth, PERIOD } from './dates';
import { ACCOUNTANTS } from './names';
import { newRandom, type Random, rotate } from './random';
import type { SeedObligation, SeedPeriod } from './types';

interface Work {
  code: string;
  label: string;
  /** The day on which it is due, in the month itself (0 months later) or the next (1). */
  due: [day: number, monthsLater: number];
  applies(month: { vatReturn: boolean; hasEmployees: boolean }): boolean;
}

/** The monthly work of an Estonian agency, in the order in which it falls due. */
const WORK: Work[] = [
  { code: 'payroll', label: 'Salaries calculated', due: [25, 0], applies: (month) => month.hasEmployees },
  { code: 'documents', label: 'Documents collected', due: [5, 1], applies: () => true },
  { code: 'bank', label: 'Bank reconciled', due: [8, 1], applies: () => true },
  { code: 'tsd', label: 'Payroll tax return (TSD)', due: [10, 1], applies: (month) => month.hasEmployees },
  { code: 'kmd', label: 'VAT return (KMD)', due: [20, 1], applies: (month) => month.vatReturn },
  { code: 'report', label: 'Report to the client', due: [28, 1], applies: () => true },
];

const MONTHS_BETWEEN_RETURNS = { monthly: 1, quarterly: 3, semiannual: 6 };

/** Twelve months of every company, the oldest month first. */
export function makePeriods(companies: readonly Company[]): SeedPeriod[] {
  const random = newRandom(5);
  const nextId = counter(0);
  return MONTHS.flatMap((month) =>
    companies.map((company, index) => {
      const accountant = index % 11 === 10 ? null : rotate(ACCOUNTANTS, index);
      const client = CLIENTS[index % 9] ?? 'usual';
      const state = (due: string) => stateOf(month, due, client, random);
      return makePeriod(month, company, accountant, nextId, random, state);
    }),
  );
}

/**
 * The month that follows a company's newest one, as an agency opens it: all its work still to do, by the same accountant.
 * @param lastId The highest ID of an obligation.
 */
export function makeNextPeriods(
  newest: readonly { period: SeedPeriod; company: Company }[],
  lastId: number,
): SeedPeriod[] {
  const random = newRandom(6);
  const nextId = counter(lastId);
  return newest.map(({ period: { period, primaryAccountantUserId }, company }) =>
    makePeriod(nextMonth(period), company, primaryAccountantUserId, nextId, random, () => ({
      status: 'todo',
    })),
  );
}

const counter = (last: number) => () => (last += 1);

function makePeriod(
  period: string,
  company: Company,
  accountant: string | null,
  nextId: () => number,
  random: Random,
  stateOfWork: (due: string) => State,
): SeedPeriod {
  const vatPayer = company.vatCode !== null && covers(period, company.vatFrom, company.vatTo);
  const hasEmployees =
    company.employeesFrom !== null && covers(period, company.employeesFrom, company.employeesTo);
  const stopped = company.serviceStoppedFrom !== null && company.serviceStoppedFrom <= dayOf(period, 1);
  const months = MONTHS_BETWEEN_RETURNS[company.vatPeriod ?? 'monthly'];
  const month = { vatReturn: vatPayer && Number(period.slice(5)) % months === 0, hasEmployees };
  const state = (due: string): State => (stopped ? { status: 'not_applicable' } : stateOfWork(due));
  return {
    id: `per_${period}_${company.id.slice(4)}`,
    companyId: company.id,
    period,
    primaryAccountantUserId: accountant,
    vatPayer,
    hasEmployees,
    messages: stopped ? 0 : random.pick([0, 0, 0, 1, 2, 5]),
    obligations: WORK.filter((work) => work.applies(month)).map((work) =>
      makeObligation(nextId(), work, period, random.chance(15) ? random.pick(HELPERS) : accountant, state),
    ),
  };
}

const HELPERS = [...ACCOUNTANTS, null] as const;

/** Whether a span of days, open at an end that is null, touches a month. */
const covers = (month: string, from: string | null, to: string | null): boolean =>
  (from === null || from <= dayOf(month, 0, 1)) && (to === null || to >= dayOf(month, 1));

/** How far a client's newest month is; in a month that is almost done, only the report is left, so nothing is overdue. */
type ClientKind = 'early' | 'almost done' | 'usual';

/** Of nine clients, the first two; the others are as usual. */
const CLIENTS: ClientKind[] = ['early', 'almost done'];

type State = Pick<SeedObligation, 'status'> & { completed?: number };

function makeObligation(
  id: number,
  { code, label, due: [day, monthsLater] }: Work,
  period: string,
  assigneeUserId: string | null,
  state: (due: string) => State,
): SeedObligation {
  const dueDate = dayOf(period, day, monthsLater);
  const { status, completed } = state(dueDate);
  return {
    id,
    code,
    label,
    dueDate,
    status,
    assigneeUserId,
    completionSource: completed === undefined ? null : code === 'bank' || code === 'kmd' ? 'auto' : 'manual',
    completedAt: completed === undefined ? null : iso(completed),
  };
}

/** How far a piece of work is: old months are all but done, the newest has barely begun unless the client is early. */
function stateOf(period: string, due: string, client: ClientKind, random: Random): State {
  const part = random.int(0, 99);
  if (part < 3) return { status: 'not_applicable' };
  if (part >= donePercent(period, due, client))
    return { status: random.pick(['todo', 'in_progress', 'waiting']) };
  const latestDay = Math.min(Date.parse(due), Date.parse(date(END)));
  return { status: 'done', completed: latestDay - random.int(0, 4) * DAY + random.int(7, 14) * HOUR };
}

function donePercent(period: string, due: string, client: ClientKind): number {
  if (client === 'early') return 100;
  const age = MONTHS.indexOf(PERIOD) - MONTHS.indexOf(period);
  if (age > 1) return 99;
  if (age === 1) return 90;
  if (client === 'almost done') return due > dayOf(PERIOD, 27, 1) ? 0 : 100;
  return due <= dayOf(PERIOD, 27) ? 75 : 12;
}
