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
    const { body } = await item.request('POST /webhook-endpoints/{id}/test', {
      path: { id: endpointOf(item) },
    });
    return [{ json: { ...body } }];
  },
};
