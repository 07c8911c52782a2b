import type { Resource } from '../../engine/operation';
import { get } from './get';
import { update } from './update';

export const companySettings: Resource = {
  value: 'companySettings',
  name: 'Company Settings',
  description: 'Export, accounting policy, and what the agent may do for a company',
  operations: [get, update],
  defaultOperation: get.value,
};
