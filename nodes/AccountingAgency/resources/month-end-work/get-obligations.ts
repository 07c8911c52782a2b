import { DateTime } from 'luxon';
import type { Schemas } from '../../../shared/api/routes';
import { companyFilterOf } from '../../engine/company';
import { companyFilter } from '../../fields/company';
import { isOn } from '../../../shared/values/booleans';
import { dayOfDate } from '../../../shared/values/dates';
import { type Choices, oneOf, parseStringList, wholeNumber } from '../../../shared/values/text';
import { filterOf, filtersField, upToLimit, listFields } from '../../fields/list';
import { outputFields, outputMaker } from '../../fields/output';
import { type Obligation, obligationView } from '../../fields/record-views';
import { readParts } from '../../../shared/api/pagination';
import type { Item } from '../../engine/item';
import type { Operation } from '../../engine/operation';
import { assigneeFilter, assigneeFilterOf } from './assignee-filter';
import { periodFields, periodOf } from './period-field';

type Status = Schemas['ObligationStatus'];

const STATUSES: Choices<Status> = [
  { name: 'Done', value: 'done' },
  { name: 'In Progress', value: 'in_progress' },
  { name: 'Not Applicable', value: 'not_applicable' },
  { name: 'To Do', value: 'todo' },
  { name: 'Waiting', value: 'waiting' },
];

/** Nothing remains to be done, whatever the due date. */
const FINISHED: Status[] = ['done', 'not_applicable'];

const MOST_DAYS = 366;

export const getObligations: Operation = {
  value: 'getObligations',
  name: 'Get Obligations',
  action: 'Get month-end obligations',
  description:
    'List what has to be done for each company, by when and by whom. Filter to see what is overdue or due soon.',
  builderHint:
    'For what is overdue or due soon, add the filter Overdue Only or Due Within (Days), and turn on Return All.',
  calls: ['companyPeriods.list'],
  fields: [
    ...periodFields,
    ...listFields,
    filtersField(
      {
        ...assigneeFilter,
        description:
          'Only obligations assigned to this person. The IDs are in the output of this operation, as "assigneeUserId".',
      },
      companyFilter,
      {
        displayName: 'Due Within (Days)',
        name: 'dueWithinDays',
        type: 'number',
        typeOptions: { minValue: 0, maxValue: MOST_DAYS, numberPrecision: 0 },
        default: 7,
        description:
          'Only unfinished obligations due today or within this many days. Overdue obligations are included.',
      },
      {
        displayName: 'Overdue Only',
        name: 'overdueOnly',
        type: 'boolean',
        // Default true: adding the filter opts in.
        default: true,
        description: 'Whether to return only overdue obligations',
      },
      {
        displayName: 'Status',
        name: 'statuses',
        type: 'multiOptions',
        options: STATUSES,
        default: ['todo', 'in_progress', 'waiting'],
        description: 'Only obligations with one of these statuses',
      },
    ),
    ...outputFields(obligationView),
  ],
  async execute(item) {
    const query = {
      period: periodOf(item),
      companyId: await companyFilterOf(item),
      assigneeUserId: assigneeFilterOf(item),
    };
    const isWanted = obligationFilter(item, query.assigneeUserId);
    const make = outputMaker(item, obligationView);
    const outputsOf = (entry: Schemas['CompanyPeriod']) => obligationsOf(entry).filter(isWanted).map(make);
    return await upToLimit(
      item,
      async (page) => await item.request('GET /company-periods', { query: { ...query, ...page } }),
      async (ask, limit) => await readParts(ask, outputsOf, limit),
    );
  },
};

/** The obligations of a company, each with what tells whose it is. */
function obligationsOf(entry: Schemas['CompanyPeriod']): Obligation[] {
  const { companyName, primaryAccountantUserId } = entry;
  return entry.obligations.map((obligation) => ({ companyName, ...obligation, primaryAccountantUserId }));
}

/** The filters that the API does not have, among them the assignee of each single obligation. */
function obligationFilter(item: Item, assigneeUserId: string | undefined): (one: Obligation) => boolean {
  const statuses = filterOf(item, 'Status', 'statuses', statusList);
  const isOverdueOnly = filterOf(item, 'Overdue Only', 'overdueOnly', isOn) ?? false;
  const days = filterOf(item, 'Due Within (Days)', 'dueWithinDays', (label, value) =>
    wholeNumber(label, value, 0, MOST_DAYS),
  );
  const lastDay =
    days === undefined ? undefined : DateTime.now().setZone(item.timeZone).plus({ days }).toISODate();
  return ({ status, overdue, dueDate, assigneeUserId: assignee }) =>
    (assigneeUserId === undefined || assignee === assigneeUserId) &&
    (statuses === undefined || statuses.includes(status)) &&
    (!isOverdueOnly || overdue) &&
    (!lastDay || (!FINISHED.includes(status) && dayOfDate(dueDate, item.timeZone) <= lastDay));
}

/** @throws InputError for values that are no status */
function statusList(label: string, value: unknown): Status[] {
  return parseStringList(label, value).map((status) => oneOf(STATUSES)(label, status));
}
