import type { Resource } from '../operation';
import { getMany } from './getMany.operation';

export const event: Resource = {
  value: 'event',
  name: 'Event',
  description: 'The feed of what happened at the agency',
  operations: [getMany],
  defaultOperation: getMany.value,
};
