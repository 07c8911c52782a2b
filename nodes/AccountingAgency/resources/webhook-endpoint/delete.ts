import { idempotencyKey } from '../../fields/options';
import type { Operation } from '../../engine/operation';
import { endpointField, endpointOf, endpointRecord } from './endpoint-field';

export const remove: Operation = {
  value: 'delete',
  name: 'Delete',
  action: 'Delete webhook endpoint',
  description: 'Remove a webhook endpoint, so that nothing is sent to its address anymore',
  builderHint: 'Not for the endpoint of an Accounting Agency Trigger, which removes its own.',
  calls: ['webhookEndpoints.delete'],
  fields: [
    {
      displayName:
        'The address receives no more events. This cannot be undone: a new endpoint has another secret. If the endpoint belongs to a trigger node, its workflow no longer starts until you publish (in n8n 1: activate) it again.',
      name: 'deleteNotice',
      type: 'notice',
      default: '',
    },
    endpointField,
  ],
  options: [idempotencyKey],
  record: endpointRecord,
  async execute(item) {
    const id = endpointOf(item);
    await item.request('DELETE /webhook-endpoints/{id}', { path: { id } });
    return [{ json: { deleted: true, id } }];
  },
};
