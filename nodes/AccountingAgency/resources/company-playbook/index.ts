import type { Resource } from '../../engine/operation';
import { append } from './append';
import { get } from './get';
import { replace } from './replace';

export const companyPlaybook: Resource = {
  value: 'companyPlaybook',
  name: 'Company Playbook',
  description: "Working instructions for a company's books",
  operations: [append, get, replace],
  defaultOperation: get.value,
};
