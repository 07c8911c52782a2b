import { idempotencyKey } from '../../fields/options';
import type { Operation } from '../../engine/operation';
import { endpointField, endpointOf, endpointRecord } from './endpoint-field';

export const sendTestEvent: Operation = {
  value: 'sendTestEvent',
  name: 'Send Test Event',
  action: 'Send webhook test event',
  description:
    'Have the agency send a test event to a webhook endpoint, and output how the address responded',
  builderHint: 'Starts only workflows whose trigger has Webhook Test among its Events.',
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
