import { confirmEndpoint } from '../../../shared/api/confirm-endpoint';
import { trueOrFalse } from '../../../shared/values/booleans';
import { requireChange } from '../../../shared/values/changes';
import { requiredText } from '../../../shared/values/text';
import { type ChangeField, changeCollection, readChanges } from '../../fields/update-fields';
import { idempotencyKey } from '../../fields/options';
import { output, outputFields } from '../../fields/output';
import { endpointView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';
import {
  descriptionField,
  endpointField,
  endpointOf,
  endpointRecord,
  urlField,
  webhookUrl,
} from './endpoint-field';
import { eventTypes, eventTypesField } from './event-types-field';

const CHANGES = 'Update Fields';

const FIELDS: ChangeField[] = [
  {
    property: { ...descriptionField, description: `${descriptionField.description}. Leave empty to clear.` },
    clearable: true,
    read: (label, value) => requiredText(label, value, Number.POSITIVE_INFINITY),
  },
  {
    property: {
      displayName: 'Enabled',
      name: 'enabled',
      type: 'boolean',
      default: true,
      description: 'Whether to send events to the address. Turn off to pause.',
    },
    clearable: false,
    read: trueOrFalse,
  },
  {
    property: { ...eventTypesField, required: false },
    clearable: false,
    read: (_, value) => eventTypes(value),
  },
  { property: { ...urlField, required: false }, clearable: false, read: (_, value) => webhookUrl(value) },
];

export const update: Operation = {
  value: 'update',
  name: 'Update',
  action: 'Update webhook endpoint',
  description: 'Change the address or the event types of a webhook endpoint, or pause it',
  builderHint: 'Not for the endpoint of an Accounting Agency Trigger, which undoes the change.',
  calls: ['webhookEndpoints.update', 'webhookEndpoints.deliveries'],
  fields: [
    endpointField,
    changeCollection(FIELDS, {
      displayName: CHANGES,
      name: 'updateFields',
      placeholder: 'Add field',
      description: 'Fields that you do not add keep their values',
    }),
    ...outputFields(endpointView),
  ],
  options: [idempotencyKey],
  record: endpointRecord,
  async execute(item) {
    const body = readChanges(item, 'updateFields', FIELDS);
    requireChange(CHANGES, body);
    const path = { id: endpointOf(item) };
    const { body: answer } = await item.request('PATCH /webhook-endpoints/{id}', { path, body });
    if (answer.id !== path.id) await confirmEndpoint(item, path.id);
    return [output(item, { ...body, ...answer, ...path }, endpointView, Object.keys(body))];
  },
};
