import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../shared/api/path';
import { isRecord } from '../../../shared/api/errors';
import { InputError } from '../../../shared/input-error';
import { trueOrFalse } from '../../../shared/values/booleans';
import { optionalText } from '../../../shared/values/texts';
import { idempotencyKey } from '../../fields/options';
import type { Operation } from '../operation';
import {
  descriptionField,
  endpointField,
  endpointOf,
  endpointRecord,
  urlField,
  webhookUrl,
} from './endpoint';
import { eventTypes, eventTypesField } from './eventTypes';

/** How each field that was added goes into the request. */
const CHANGES: Record<string, (value: unknown) => IDataObject[string]> = {
  description: (value) => optionalText('Description', value, Number.POSITIVE_INFINITY) ?? null,
  enabled: (value) => trueOrFalse('Enabled', value),
  eventTypes,
  url: webhookUrl,
};

export const update: Operation = {
  value: 'update',
  name: 'Update',
  action: 'Update a webhook endpoint',
  description: 'Change the address or the event types of a webhook endpoint, or pause it',
  calls: ['webhookEndpoints.update'],
  fields: [
    endpointField,
    {
      displayName: 'Update Fields',
      name: 'updateFields',
      type: 'collection',
      placeholder: 'Add field',
      default: {},
      description: 'What is to be changed. A field that is not added keeps its value.',
      options: [
        { ...descriptionField, description: `${descriptionField.description}. Empty clears it.` },
        {
          displayName: 'Enabled',
          name: 'enabled',
          type: 'boolean',
          default: true,
          description: 'Whether events are sent to the address; false pauses sending',
        },
        { ...eventTypesField, required: false },
        { ...urlField, required: false },
      ],
    },
  ],
  options: [idempotencyKey],
  record: endpointRecord,
  async execute(item) {
    const added = item.value('updateFields');
    const body: IDataObject = {};
    for (const [name, value] of Object.entries(isRecord(added) ? added : {})) {
      const change = CHANGES[name];
      if (change !== undefined) body[name] = change(value);
    }
    if (Object.keys(body).length === 0) {
      throw new InputError('Update Fields', 'are empty.', 'Add at least one field that is to be changed.');
    }
    const answer = await item.request<IDataObject>({
      method: 'PATCH',
      path: path`/webhook-endpoints/${endpointOf(item)}`,
      body,
    });
    return [{ json: answer.body }];
  },
};
