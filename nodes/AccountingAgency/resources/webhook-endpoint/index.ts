import type { Resource } from '../../engine/operation';
import { create } from './create';
import { remove } from './delete';
import { getManyDeliveries } from './get-many-deliveries';
import { sendTestEvent } from './send-test-event';
import { update } from './update';

export const webhookEndpoint: Resource = {
  value: 'webhookEndpoint',
  name: 'Webhook Endpoint',
  description: 'Addresses to which the agency sends signed events',
  operations: [create, remove, getManyDeliveries, sendTestEvent, update],
  defaultOperation: create.value,
  hiddenFromTools: {
    message: 'Webhook endpoints are not for AI agents.',
    description:
      'Their signing secret must not reach a model. Use the Accounting Agency node in a workflow instead.',
  },
};
