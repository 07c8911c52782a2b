import { confirmEndpoint } from '../../../shared/api/confirm-endpoint';
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
  calls: ['webhookEndpoints.test', 'webhookEndpoints.deliveries'],
  fields: [endpointField],
  options: [idempotencyKey],
  record: endpointRecord,
  async execute(item) {
    const path = { id: endpointOf(item) };
    const { body } = await item.request('POST /webhook-endpoints/{id}/test', { path });
    if (Object.keys(body).length > 0) return [{ json: { ...body } }];
    await confirmEndpoint(item, path.id);
    return [{ json: { sent: true, ...path } }];
  },
};
