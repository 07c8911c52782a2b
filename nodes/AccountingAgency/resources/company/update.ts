import { requireChange } from '../../../shared/values/changes';
import { changeCollection, readChanges } from '../../fields/update-fields';
import { companyField, companyOf } from '../../fields/company';
import { dryRun, isDryRun } from '../../fields/dry-run';
import { idempotencyKey, simplify } from '../../fields/options';
import { output, shortCompany } from '../../fields/output';
import type { Operation } from '../../engine/operation';
import { COMPANY_CHANGES } from './company-fields';

const CHANGES = 'Update Fields';

export const update: Operation = {
  value: 'update',
  name: 'Update',
  action: 'Update company',
  description:
    'Change the address, VAT period, dates or other details of a company. Name, registration code and VAT code cannot be changed.',
  calls: ['companies.update'],
  fields: [
    companyField,
    changeCollection(COMPANY_CHANGES, {
      displayName: CHANGES,
      name: 'updateFields',
      placeholder: 'Add field',
      description: 'Fields that you do not add keep their value. Empty fields are cleared.',
    }),
    dryRun,
    simplify,
  ],
  options: [idempotencyKey],
  record: companyOf,
  async execute(item) {
    const body = readChanges(item, 'updateFields', COMPANY_CHANGES);
    requireChange(CHANGES, body);
    const call = { path: { id: companyOf(item) }, body };
    const { body: answer } = isDryRun(item)
      ? await item.request('PATCH /companies/{id}', { ...call, query: { dryRun: true } }, 'dryRun')
      : await item.request('PATCH /companies/{id}', call);
    if (!('dryRun' in answer)) return [output(item, answer, shortCompany)];
    return [{ json: { ...answer, result: output(item, answer.result, shortCompany).json } }];
  },
};
