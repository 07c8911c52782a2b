import type { INodeProperties } from 'n8n-workflow';

/** How many items are worked on at the same time when the option is not set. */
export const DEFAULT_SIDE_BY_SIDE = 5;
/** The most that the option can be set to. */
export const MOST_SIDE_BY_SIDE = 20;

/** Option of every operation: how many input items are worked on at the same time. */
export const sideBySide: INodeProperties = {
  displayName: 'Items Side by Side',
  name: 'sideBySide',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: MOST_SIDE_BY_SIDE, numberPrecision: 0 },
  default: DEFAULT_SIDE_BY_SIDE,
  description:
    'How many input items are worked on at the same time, from 1 to 20. The results come out in the order of the input items.',
};
