import type { Resource } from '../operation';
import { create } from './create.operation';
import { remove } from './delete.operation';
import { getManyDeliveries } from './getManyDeliveries.operation';
import { sendTestEvent } from './sendTestEvent.operation';
import { update } from './update.operation';

export const webhookEndpoint: Resource = {
  value: 'webhookEndpoint',
  name: 'Webhook Endpoint',
  description: 'Addresses that the agency sends signed events to',
  operations: [create, remove, getManyDeliveries, sendTestEvent, update],
  defaultOperation: create.value,
  hiddenFromTools: true,
};
