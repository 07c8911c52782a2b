import type { Resource } from '../../engine/operation';
import { getMany } from './get-many';

export const companyPeriod: Resource = {
  value: 'companyPeriod',
  name: 'Company Period',
  description: 'The month-end work board: what is to be done for each company in a month',
  operations: [getMany],
  defaultOperation: getMany.value,
};
