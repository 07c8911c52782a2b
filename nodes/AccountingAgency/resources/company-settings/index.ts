import type { Resource } from '../../engine/operation';
import { get } from './get';
import { update } from './update';

export const companySettings: Resource = {
  value: 'companySettings',
  name: 'Company Settings',
  description: 'How a company is exported and booked, and what the agent may do for it',
  operations: [get, update],
  defaultOperation: get.value,
};
