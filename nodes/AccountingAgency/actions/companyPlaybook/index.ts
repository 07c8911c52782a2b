import type { Resource } from '../operation';
import { get } from './get.operation';
import { replace } from './replace.operation';

export const companyPlaybook: Resource = {
  value: 'companyPlaybook',
  name: 'Company Playbook',
  description: 'The working instructions for the books of a company',
  operations: [get, replace],
  defaultOperation: get.value,
};
