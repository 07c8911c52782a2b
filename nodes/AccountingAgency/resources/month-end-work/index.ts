import type { Resource } from '../../engine/operation';
import { getCompanies } from './get-companies';
import { getObligations } from './get-obligations';

export const monthEndWork: Resource = {
  value: 'monthEndWork',
  name: 'Month-End Work',
  description: 'What has to be done for each company in a month, by when and by whom',
  operations: [getObligations, getCompanies],
  defaultOperation: getObligations.value,
};
