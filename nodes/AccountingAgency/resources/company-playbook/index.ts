import type { Resource } from '../../engine/operation';
import { get } from './get';
import { replace } from './replace';

export const companyPlaybook: Resource = {
  value: 'companyPlaybook',
  name: 'Company Playbook',
  description: 'The working instructions for the books of a company',
  operations: [get, replace],
  defaultOperation: get.value,
};
