import { companyOf } from '../../engine/company';
import { companyField } from '../../fields/company';
import { output, outputFields } from '../../fields/output';
import { companyView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get company',
  description: 'Get the names, codes, VAT period and other details of a company',
  builderHint: 'Company takes an ID, a registration code or a VAT code, so no search is needed before it.',
  calls: ['companies.get'],
  fields: [companyField, ...outputFields(companyView)],
  async execute(item) {
    const { body } = await item.request('GET /companies/{id}', { path: { id: await companyOf(item) } });
    return [output(item, body, companyView)];
  },
};
