import type { INodeProperties } from 'n8n-workflow';

/** Option of every write. */
export const idempotencyKey: INodeProperties = {
  displayName: 'Idempotency Key',
  name: 'idempotencyKey',
  type: 'string',
  default: '',
  placeholder: 'e.g. {{ $json.messageId }}',
  description:
    'Makes sure that this is done once, even in different executions: for 24 hours the agency answers a repeat with the first result. Left empty, the node makes a key that holds for retries of the same execution. Use another key for every item.',
};

/** Field of operations that output large records. */
export const simplify: INodeProperties = {
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
};
