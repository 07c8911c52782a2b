import type { Schemas } from '../../../shared/api/routes';
import { companyLocator } from '../../../shared/fields/company-locator';
import { dateOrDateTime } from '../../../shared/values/dates';
import { requiredId } from '../../../shared/values/text';
import { type Choices, oneOf } from '../../fields/choices';
import { filterOf, filtersField, listFields, listRows } from '../../fields/list';
import { simplify } from '../../fields/options';
import { output, shortDocument } from '../../fields/output';
import type { Operation } from '../../engine/operation';

const STAGES: Choices<Schemas['DocumentStage']> = [
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
    const bound = (label: string, value: unknown) => dateOrDateTime(label, value, item.timeZone);
    const query = {
      companyId: filterOf(item, 'Company', 'companyId', requiredId),
      stage: filterOf(item, 'Stage', 'stage', oneOf(STAGES)),
      receivedFrom: filterOf(item, 'Received From', 'receivedFrom', bound),
      receivedTo: filterOf(item, 'Received To', 'receivedTo', bound),
    };
    return await listRows(
      item,
      async (page) => await item.request('GET /documents', { query: { ...query, ...page } }),
      (row) => output(item, row, shortDocument),
    );
  },
};
