import { optionalText } from '../../../shared/values/text';
import { idempotencyKey } from '../../fields/options';
import type { Operation } from '../../engine/operation';
import { descriptionField, urlField, webhookUrl } from './endpoint-field';
import { eventTypes, eventTypesField } from './event-types';

export const create: Operation = {
  value: 'create',
  name: 'Create',
  action: 'Create a webhook endpoint',
  description: 'Let the agency send signed events to an address. The trigger node makes its endpoint itself.',
  calls: ['webhookEndpoints.create'],
  fields: [
    {
      displayName:
        'The agency shows the signing secret only once, in the output of this node. It is marked as sensitive: an n8n that heeds the mark shows it to nobody, any other to everybody who may see the executions of this workflow. So pass <code>{{ $json.secret }}</code> on in the same run, e.g. to a store of secrets, and do not save the executions. A secret that was not passed on is lost: delete the endpoint and create another.',
      name: 'secretNotice',
      type: 'notice',
      default: '',
    },
    urlField,
    eventTypesField,
  ],
  options: [descriptionField, idempotencyKey],
  async execute(item) {
    const body = {
      url: webhookUrl(item.value('url')),
      eventTypes: eventTypes(item.value('eventTypes')),
      description: optionalText('Description', item.option('description'), Number.POSITIVE_INFINITY),
    };
    const answer = await item.request('POST /webhook-endpoints', { body });
    return [{ json: { ...answer.body } }];
  },
};
