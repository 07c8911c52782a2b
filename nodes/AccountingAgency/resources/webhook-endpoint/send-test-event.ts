import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../shared/api/path';
import { idempotencyKey } from '../../fields/options';
import type { Operation } from '../../engine/operation';
import { endpointField, endpointOf, endpointRecord } from './endpoint-field';

export const sendTestEvent: Operation = {
  value: 'sendTestEvent',
  name: 'Send Test Event',
  action: 'Send a test event to a webhook endpoint',
  description:
    'Let the agency send an event of the type webhook.test to a webhook endpoint, and output how its address answered',
  calls: ['webhookEndpoints.test'],
  fields: [endpointField],
  options: [idempotencyKey],
  record: endpointRecord,
  async execute(item) {
    const { body } = await item.request<IDataObject>({
      method: 'POST',
      path: path`/webhook-endpoints/${endpointOf(item)}/test`,
    });
    return [{ json: body }];
  },
};
