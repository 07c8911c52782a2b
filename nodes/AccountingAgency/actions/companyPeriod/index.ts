import type { Resource } from '../operation';
import { getMany } from './getMany.operation';

export const companyPeriod: Resource = {
  value: 'companyPeriod',
  name: 'Company Period',
  description: 'The month-end work board: what is to be done for each company in a month',
  operations: [getMany],
  defaultOperation: getMany.value,
};
