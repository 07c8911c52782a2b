import { listFields, listRows } from '../../fields/list';
import { outputFields, outputMaker } from '../../fields/output';
import { deliveryView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';
import { endpointField, endpointOf } from './endpoint-field';

export const getManyDeliveries: Operation = {
  value: 'getDeliveries',
  name: 'Get Many Deliveries',
  action: 'Get many webhook deliveries',
  description: 'List the events sent to a webhook endpoint, with their attempts and errors',
  builderHint:
    'To investigate failed calls. To start a workflow with events, use the Accounting Agency Trigger.',
  calls: ['webhookEndpoints.deliveries'],
  fields: [endpointField, ...listFields, ...outputFields(deliveryView)],
  async execute(item) {
    const id = endpointOf(item);
    return await listRows(
      item,
      async (page) =>
        await item.request('GET /webhook-endpoints/{id}/deliveries', { path: { id }, query: page }),
      outputMaker(item, deliveryView),
    );
  },
};
