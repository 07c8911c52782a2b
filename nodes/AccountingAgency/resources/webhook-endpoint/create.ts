import { AgencyError } from '../../../shared/api/errors/agency-error';
import { isSigningSecret } from '../../../shared/signing-secret';
import { optionalText } from '../../../shared/values/text';
import { idempotencyKey } from '../../fields/options';
import { output, outputFields } from '../../fields/output';
import { endpointView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';
import { descriptionField, urlField, webhookUrl } from './endpoint-field';
import { eventTypes, eventTypesField } from './event-types-field';

export const create: Operation = {
  value: 'create',
  name: 'Create',
  action: 'Create webhook endpoint',
  description:
    'Register an address to which the agency sends signed events. The trigger node registers its own.',
  builderHint:
    'To start a workflow with events, use the Accounting Agency Trigger, which registers its own endpoint.',
  calls: ['webhookEndpoints.create'],
  fields: [
    {
      displayName:
        'The agency returns the signing secret once, in the output of this node. Anyone who can see the executions of this workflow can read it there. Pass <code>{{ $json.secret }}</code> on in the same run, e.g. to a secret store, and turn off saving executions. If a secret is lost, delete the endpoint and create another.',
      name: 'secretNotice',
      type: 'notice',
      default: '',
    },
    urlField,
    eventTypesField,
    ...outputFields(endpointView),
  ],
  options: [descriptionField, idempotencyKey],
  async execute(item) {
    const body = {
      url: webhookUrl(item.value('url')),
      eventTypes: eventTypes(item.value('eventTypes')),
      description: optionalText('Description', item.option('description'), Number.POSITIVE_INFINITY),
    };
    const { body: made } = await item.request('POST /webhook-endpoints', { body });
    if (!isSigningSecret(made.secret)) {
      throw new AgencyError(
        `The agency returned the webhook endpoint ${made.id} without its signing secret, which it shows only once.`,
        'Delete this endpoint, and create another one. With an Idempotency Key of your own, use a new key.',
      );
    }
    return [{ json: { ...output(item, made, endpointView).json, secret: made.secret } }];
  },
};
