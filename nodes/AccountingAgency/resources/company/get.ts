import { companyField, companyOf } from '../../fields/company';
import { simplify } from '../../fields/options';
import { output, shortCompany } from '../../fields/output';
import type { Operation } from '../../engine/operation';

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get company',
  description: 'Get the names, codes, address, VAT period and dates of a company',
  calls: ['companies.get'],
  fields: [companyField, simplify],
  async execute(item) {
    const { body } = await item.request('GET /companies/{id}', { path: { id: companyOf(item) } });
    return [output(item, body, shortCompany)];
  },
};
