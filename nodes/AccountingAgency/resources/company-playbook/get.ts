import { companyField, companyOf } from '../../fields/company';
import type { Operation } from '../../engine/operation';

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get company playbook',
  description:
    'Get the working instructions of a company as Markdown, with their rules and the version that "Replace" needs',
  calls: ['companyPlaybook.get'],
  fields: [companyField],
  async execute(item) {
    const { body } = await item.request('GET /companies/{id}/playbook', { path: { id: companyOf(item) } });
    return [{ json: { ...body } }];
  },
};
