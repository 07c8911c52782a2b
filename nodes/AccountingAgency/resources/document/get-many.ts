import type { Schemas } from '../../../shared/api/routes';
import { companyFilterOf } from '../../engine/company';
import { companyFilter } from '../../fields/company';
import { dateOrDateTime } from '../../../shared/values/dates';
import { type Choices, oneOf } from '../../../shared/values/text';
import { filterOf, filtersField, listFields, listRows } from '../../fields/list';
import { outputFields, outputMaker } from '../../fields/output';
import { documentView } from '../../fields/record-views';
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
  description: 'List documents, newest first, with filters for company, stage and time received',
  builderHint:
    'To start when a document arrives or is recognized, use the Accounting Agency Trigger instead of a schedule.',
  calls: ['documents.list'],
  fields: [
    ...listFields,
    filtersField(
      companyFilter,
      {
        displayName: 'Received Since',
        name: 'receivedFrom',
        type: 'dateTime',
        default: '',
        description: 'Only documents received at this date and time or later',
      },
      {
        displayName: 'Received Before',
        name: 'receivedTo',
        type: 'dateTime',
        default: '',
        description: 'Only documents received before this date and time',
      },
      {
        displayName: 'Stage',
        name: 'stage',
        type: 'options',
        options: STAGES,
        default: 'inbox',
        description: 'Only documents in this stage',
      },
    ),
    ...outputFields(documentView),
  ],
  async execute(item) {
    const bound = (label: string, value: unknown) => dateOrDateTime(label, value, item.timeZone);
    const query = {
      companyId: await companyFilterOf(item),
      stage: filterOf(item, 'Stage', 'stage', oneOf(STAGES)),
      receivedFrom: filterOf(item, 'Received Since', 'receivedFrom', bound),
      receivedTo: filterOf(item, 'Received Before', 'receivedTo', bound),
    };
    return await listRows(
      item,
      async (page) => await item.request('GET /documents', { query: { ...query, ...page } }),
      outputMaker(item, documentView),
    );
  },
};
