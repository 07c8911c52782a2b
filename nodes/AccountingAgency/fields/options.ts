import type { INodeProperties } from 'n8n-workflow';

/** The collection "Options" of an operation, with these entries. */
export function optionsField(options: INodeProperties[]): INodeProperties {
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options,
  };
}

/** Option of every write. */
export const idempotencyKey: INodeProperties = {
  displayName: 'Idempotency Key',
  name: 'idempotencyKey',
  type: 'string',
  default: '',
  placeholder: 'e.g. {{ $json.messageId }}',
  description:
    'A text of your own, different for each item, so that this is done once even in different executions: within 24 hours a repeat returns the first result. If empty, retries of the same execution are recognized.',
};
