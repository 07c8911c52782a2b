import { companyField, companyOf } from '../../fields/company';
import type { Operation } from '../../engine/operation';

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get company settings',
  description: 'Get the export settings, accounting policy and agent switches of a company',
  calls: ['companySettings.get'],
  fields: [companyField],
  async execute(item) {
    const { body } = await item.request('GET /companies/{id}/settings', { path: { id: companyOf(item) } });
    return [{ json: { ...body } }];
  },
};
