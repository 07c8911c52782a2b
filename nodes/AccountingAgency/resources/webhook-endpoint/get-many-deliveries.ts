import { path } from '../../../shared/api/path';
import type { Schemas } from '../../../shared/api/types';
import { listFields, listRows } from '../../fields/list';
import type { Operation } from '../../engine/operation';
import { endpointField, endpointOf } from './endpoint-field';

export const getManyDeliveries: Operation = {
  value: 'getDeliveries',
  name: 'Get Many Deliveries',
  action: 'Get many deliveries of a webhook endpoint',
  description:
    'List the events that were sent to a webhook endpoint, with their attempts and what went wrong with them',
  calls: ['webhookEndpoints.deliveries'],
  fields: [endpointField, ...listFields],
  async execute(item) {
    const call = { path: path`/webhook-endpoints/${endpointOf(item)}/deliveries` };
    return await listRows<Schemas['WebhookDelivery']>(item, call, (row) => ({ json: { ...row } }));
  },
};
