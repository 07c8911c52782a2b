import type { Resource } from '../../engine/operation';
import { getMany } from './get-many';

export const event: Resource = {
  value: 'event',
  name: 'Event',
  description: 'What happened at the agency',
  operations: [getMany],
  defaultOperation: getMany.value,
};
