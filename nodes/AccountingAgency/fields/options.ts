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
    'Your own text, different for each item. Repeating it within 24 hours returns the first result, even in another execution. If empty, retries of the same execution are recognized.',
};
