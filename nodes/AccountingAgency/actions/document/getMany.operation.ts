import type { Records } from '../../../shared/api/types';
import { companyLocator } from '../../../shared/fields/companyLocator';
import { dateOrDateTime } from '../../../shared/values/dates';
import { isEmpty, optionalChoice, optionalId } from '../../../shared/values/texts';
import { type Choices, valuesOf } from '../../fields/choices';
import { filtersField, listFields, listRows } from '../../fields/list';
import { simplify } from '../../fields/options';
import { output, shortDocument } from '../../fields/simplified';
import type { Item } from '../item';
import type { Operation } from '../operation';

const STAGES: Choices<Records['DocumentStage']> = [
  { name: 'Accounting', value: 'accounting' },
  { name: 'Archived', value: 'archived' },
  { name: 'Error', value: 'error' },
  { name: 'Inbox', value: 'inbox' },
  { name: 'Split', value: 'split' },
  { name: 'Storage', value: 'storage' },
];

export const getMany: Operation = {
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many documents',
  description: 'List documents, newest first, of all companies or by company, stage and time of arrival',
  calls: ['documents.list'],
  fields: [
    ...listFields,
    filtersField(
      companyLocator({ name: 'companyId', required: false }),
      {
        displayName: 'Received From',
        name: 'receivedFrom',
        type: 'dateTime',
        default: '',
        description: 'Only documents that arrived on this date or at this time, or later',
      },
      {
        displayName: 'Received To',
        name: 'receivedTo',
        type: 'dateTime',
        default: '',
        description: 'Only documents that arrived before this date or time',
      },
      {
        displayName: 'Stage',
        name: 'stage',
        type: 'options',
        options: STAGES,
        default: 'inbox',
        description: 'Only documents in this stage of their way through the agency',
      },
    ),
    simplify,
  ],
  async execute(item) {
    const query = {
      companyId: optionalId('Company', item.value('filters.companyId')),
      stage: optionalChoice('Stage', item.value('filters.stage'), valuesOf(STAGES)),
      receivedFrom: bound(item, 'Received From', 'receivedFrom'),
      receivedTo: bound(item, 'Received To', 'receivedTo'),
    };
    return await listRows<Records['Document']>(item, { path: '/documents', query }, (row) =>
      output(item, row, shortDocument),
    );
  },
};

function bound(item: Item, field: string, name: string): string | undefined {
  const value = item.value(`filters.${name}`);
  return isEmpty(value) ? undefined : dateOrDateTime(field, value, item.timeZone);
}
