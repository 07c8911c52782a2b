import { companyOf } from '../../engine/company';
import { companyField } from '../../fields/company';
import { output, outputFields } from '../../fields/output';
import { settingsView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get company settings',
  description:
    'Get the export settings and agent switches of a company, and with All Fields its accounting policy',
  builderHint: 'Not needed before Update, which changes only the fields that are added.',
  calls: ['companySettings.get'],
  fields: [companyField, ...outputFields(settingsView)],
  async execute(item) {
    const { body } = await item.request('GET /companies/{id}/settings', {
      path: { id: await companyOf(item) },
    });
    return [output(item, body, settingsView)];
  },
};
