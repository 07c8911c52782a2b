import type { Schemas } from '../../../shared/api/routes';
import { type Choices, oneOf } from '../../../shared/values/text';
import { companyFilterOf } from '../../engine/company';
import { companyFilter } from '../../fields/company';
import { filterOf, filtersField, listFields, listRows } from '../../fields/list';
import { outputFields, outputMaker } from '../../fields/output';
import { companyPeriodView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';
import { assigneeFilter, assigneeFilterOf } from './assignee-filter';
import { periodFields, periodOf } from './period-field';

const STATUSES: Choices<Schemas['CompanyPeriodStatus']> = [
  { name: 'Done', value: 'done' },
  { name: 'Open', value: 'open' },
  { name: 'Overdue', value: 'overdue' },
];

export const getCompanies: Operation = {
  value: 'getCompanies',
  name: 'Get Companies',
  action: 'Get companies with month-end work',
  description:
    'List companies with their month-end status, next due date, and how many obligations are open or overdue',
  builderHint: 'For individual obligations with due dates and assignees, use Get Obligations.',
  calls: ['companyPeriods.list'],
  fields: [
    ...periodFields,
    ...listFields,
    filtersField(
      {
        ...assigneeFilter,
        description:
          'Only companies with an obligation assigned to this person. The "Get Obligations" operation outputs the IDs.',
      },
      companyFilter,
      {
        displayName: 'Status',
        name: 'status',
        type: 'options',
        options: STATUSES,
        default: 'open',
        description: 'Only companies whose month-end work has this status',
      },
    ),
    ...outputFields(companyPeriodView),
  ],
  async execute(item) {
    const query = {
      period: periodOf(item),
      companyId: await companyFilterOf(item),
      status: filterOf(item, 'Status', 'status', oneOf(STATUSES)),
      assigneeUserId: assigneeFilterOf(item),
    };
    return await listRows(
      item,
      async (page) => await item.request('GET /company-periods', { query: { ...query, ...page } }),
      outputMaker(item, companyPeriodView),
    );
  },
};
