import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import { calendarMonth } from '../../../shared/values/dates';
import type { Item } from '../../engine/item';

const PERIOD = 'Period';
const OTHER = 'other';

/** How many months ago a choice of the field lies. */
const MONTHS_AGO = new Map([
  ['lastMonth', 1],
  ['thisMonth', 0],
]);

/** The month whose work is listed. The office works on the month that has ended, so that is the default. */
export const periodFields: INodeProperties[] = [
  {
    displayName: PERIOD,
    name: 'period',
    type: 'options',
    options: [
      { name: 'Last Month', value: 'lastMonth' },
      { name: 'This Month', value: 'thisMonth' },
      { name: 'Another Month', value: OTHER },
    ],
    default: 'lastMonth',
    description:
      "Month to list, in the workflow's time zone. An expression may also return a month as YYYY-MM, or a date in that month.",
  },
  {
    displayName: 'Month',
    name: 'month',
    type: 'string',
    // Not required: n8n shows it, and would insist on it, whenever Period is an expression.
    displayOptions: { show: { period: [OTHER] } },
    default: '',
    placeholder: 'e.g. 2024-03',
    description: 'Month as YYYY-MM. An expression may also return a date in that month.',
  },
];

/**
 * The month that an item asks for.
 *
 * @param now the time from which last month and this month are counted
 * @returns `YYYY-MM`
 * @throws InputError for anything that is no month
 */
export function periodOf(item: Item, now = DateTime.now()): string {
  const period = item.value('period');
  const monthsAgo = typeof period === 'string' ? MONTHS_AGO.get(period.trim()) : undefined;
  if (monthsAgo !== undefined)
    return now.setZone(item.timeZone).minus({ months: monthsAgo }).toFormat('yyyy-MM');
  return period === OTHER
    ? calendarMonth('Month', item.value('month'), item.timeZone)
    : calendarMonth(PERIOD, period, item.timeZone);
}
