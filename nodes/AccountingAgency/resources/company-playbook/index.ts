import type { Resource } from '../../engine/operation';
import { get } from './get';
import { replace } from './replace';

export const companyPlaybook: Resource = {
  value: 'companyPlaybook',
  name: 'Company Playbook',
  description: "Working instructions for a company's books",
  operations: [get, replace],
  defaultOperation: get.value,
};
