import { companyOf } from '../../engine/company';
import { companyField } from '../../fields/company';
import { output, outputFields } from '../../fields/output';
import { playbookView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get company playbook',
  description: 'Get the playbook of a company in Markdown, with rules and the version that "Replace" needs',
  builderHint: 'Connect it before Replace, which needs its Version. To add text, use Append alone.',
  calls: ['companyPlaybook.get'],
  fields: [companyField, ...outputFields(playbookView)],
  async execute(item) {
    const { body } = await item.request('GET /companies/{id}/playbook', {
      path: { id: await companyOf(item) },
    });
    return [output(item, body, playbookView)];
  },
};
