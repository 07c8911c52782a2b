import type { Resource } from '../operation';
import { get } from './get.operation';
import { getMany } from './getMany.operation';
import { update } from './update.operation';

export const company: Resource = {
  value: 'company',
  name: 'Company',
  description: 'The companies that the agency keeps the books of',
  operations: [get, getMany, update],
  defaultOperation: getMany.value,
};
