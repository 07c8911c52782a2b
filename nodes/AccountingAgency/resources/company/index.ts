import type { Resource } from '../../engine/operation';
import { get } from './get';
import { getMany } from './get-many';
import { update } from './update';

export const company: Resource = {
  value: 'company',
  name: 'Company',
  description: 'The companies that the agency keeps the books of',
  operations: [get, getMany, update],
  defaultOperation: getMany.value,
};
