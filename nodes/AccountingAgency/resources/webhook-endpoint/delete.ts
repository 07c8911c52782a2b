import { idempotencyKey } from '../../fields/options';
import type { Operation } from '../../engine/operation';
import { endpointField, endpointOf, endpointRecord } from './endpoint-field';

export const remove: Operation = {
  value: 'delete',
  name: 'Delete',
  action: 'Delete a webhook endpoint',
  description: 'Remove a webhook endpoint, after which nothing more is sent to its address',
  calls: ['webhookEndpoints.delete'],
  fields: [
    {
      displayName:
        'This cuts off whatever listens at the address of the endpoint, and cannot be undone: a new endpoint has another secret. If it belongs to a trigger node, that workflow starts no more until it is published (in n8n 1: activated) again.',
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
