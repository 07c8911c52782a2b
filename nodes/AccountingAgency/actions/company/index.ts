import type { Resource } from '../operation';
import { get } from './get.operation';
import { getMany } from './getMany.operation';

export const company: Resource = {
  value: 'company',
  name: 'Company',
  description: 'The companies that the agency keeps the books of',
  operations: [get, getMany],
  defaultOperation: getMany.value,
};
