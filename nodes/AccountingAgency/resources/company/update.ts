import type { Schemas } from '../../../shared/api/routes';
import { requireChange } from '../../../shared/values/changes';
import { changeCollection, readChanges } from '../../fields/update-fields';
import { companyOf, companyRecord } from '../../engine/company';
import { companyField } from '../../fields/company';
import { dryRunFields, dryRunOutput, isDryRun } from '../../fields/dry-run';
import { idempotencyKey } from '../../fields/options';
import { output, outputFields } from '../../fields/output';
import { companyView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';
import { COMPANY_CHANGES } from './company-fields';

const CHANGES = 'Update Fields';

export const update: Operation = {
  value: 'update',
  name: 'Update',
  action: 'Update company',
  description:
    'Change the address, VAT period, dates or other details of a company. Its name and codes cannot be changed.',
  builderHint: 'Add only the fields to change: an empty one is cleared.',
  calls: ['companies.update'],
  fields: [
    companyField,
    changeCollection(COMPANY_CHANGES, {
      displayName: CHANGES,
      name: 'updateFields',
      placeholder: 'Add field',
      description: 'Fields that you do not add keep their values. Empty fields are cleared.',
    }),
    ...dryRunFields,
    ...outputFields(companyView),
  ],
  options: [idempotencyKey],
  record: companyRecord,
  async execute(item) {
    const body = readChanges(item, 'updateFields', COMPANY_CHANGES);
    requireChange(CHANGES, body);
    const call = { path: { id: await companyOf(item) }, body };
    const { body: answer } = isDryRun(item)
      ? await item.request('PATCH /companies/{id}', { ...call, query: { dryRun: true } }, 'dryRun')
      : await item.request('PATCH /companies/{id}', call);
    const make = (company: Schemas['Company']) => output(item, company, companyView, Object.keys(body));
    return 'dryRun' in answer ? dryRunOutput(item, answer, make) : [make(answer)];
  },
};
