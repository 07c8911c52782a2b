import type { Resource } from '../../engine/operation';
import { get } from './get';
import { getMany } from './get-many';
import { update } from './update';

export const company: Resource = {
  value: 'company',
  name: 'Company',
  description: 'Companies whose books the agency keeps',
  operations: [get, getMany, update],
  defaultOperation: getMany.value,
};
