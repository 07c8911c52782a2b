import type { INodeProperties } from 'n8n-workflow';

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

/** How many items are processed at the same time when the option is not set. */
export const DEFAULT_CONCURRENCY = 5;
/** The most that the option can be set to. */
export const MAX_CONCURRENCY = 20;

/** Option of every operation: how many items are processed at the same time. */
export const concurrency: INodeProperties = {
  displayName: 'Concurrency',
  name: 'concurrency',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY, numberPrecision: 0 },
  default: DEFAULT_CONCURRENCY,
  description:
    'How many items to process at the same time, from 1 to 20. The output keeps the order of the input.',
};
