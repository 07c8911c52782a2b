import type { Schemas } from '../../../shared/api/routes';
import { companyLocator } from '../../../shared/fields/company-locator';
import { calendarMonth } from '../../../shared/values/dates';
import { requiredId } from '../../../shared/values/text';
import { type Choices, oneOf } from '../../fields/choices';
import { filterOf, filtersField, listFields, listRows } from '../../fields/list';
import { simplify } from '../../fields/options';
import { output, shortCompanyPeriod } from '../../fields/output';
import type { Operation } from '../../engine/operation';

const STATUSES: Choices<Schemas['CompanyPeriodStatus']> = [
  { name: 'Done', value: 'done' },
  { name: 'Open', value: 'open' },
  { name: 'Overdue', value: 'overdue' },
];

export const getMany: Operation = {
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many company periods',
  description:
    'List the month-end work of a month, one entry per company, with its status, its counts and its obligations',
  calls: ['companyPeriods.list'],
  fields: [
    {
      displayName: 'Period',
      name: 'period',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. 2024-03',
      description: 'The month as YYYY-MM, or a date in that month',
    },
    ...listFields,
    filtersField(
      {
        displayName: 'Assignee User ID',
        name: 'assigneeUserId',
        type: 'string',
        default: '',
        placeholder: 'e.g. 5f3a81c2',
        description:
          'Only companies with an obligation that is assigned to this person. The obligations contain the IDs when Simplify is off.',
      },
      companyLocator({ name: 'companyId', required: false }),
      {
        displayName: 'Status',
        name: 'status',
        type: 'options',
        options: STATUSES,
        default: 'open',
        description: 'Only companies whose month-end work is in this state',
      },
    ),
    simplify,
  ],
  async execute(item) {
    const query = {
      period: calendarMonth('Period', item.value('period'), item.timeZone),
      companyId: filterOf(item, 'Company', 'companyId', requiredId),
      status: filterOf(item, 'Status', 'status', oneOf(STATUSES)),
      assigneeUserId: filterOf(item, 'Assignee User ID', 'assigneeUserId', requiredId),
    };
    return await listRows(
      item,
      async (page) => await item.request('GET /company-periods', { query: { ...query, ...page } }),
      (row) => output(item, row, shortCompanyPeriod),
    );
  },
};
