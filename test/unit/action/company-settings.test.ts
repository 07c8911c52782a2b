import {
  isPartOfPolicy,
  wholePolicy,
} from '../../../nodes/AccountingAgency/resources/company-settings/policy';
import { POLICY_ROWS } from '../../../nodes/AccountingAgency/resources/company-settings/policy-fields';
import {
  isPartOfExport,
  wholeExport,
} from '../../../nodes/AccountingAgency/resources/company-settings/setting-fields';

const current = POLICY_ROWS.map(({ field }) => ({
  field,
  required: true,
  automatic: false,
  defaultValue: null,
}));

test('a policy has the five fields in the order of the API, each changed part for itself', () => {
  const reversed = [...current].reverse();
  const fields = wholePolicy({ journal: { automatic: true }, vatClass: { required: false } }, reversed);
  expect(fields.map(({ field }) => field)).toEqual([
    'warehouse',
    'type',
    'journal',
    'allocation',
    'vatClass',
  ]);
  expect(fields[2]).toEqual({ field: 'journal', required: true, automatic: true, defaultValue: null });
  expect(fields[4]).toEqual({ field: 'vatClass', required: false, automatic: false, defaultValue: null });
});

test('no policy is made up for a field that the agency does not have', () => {
  const lacking = current.filter(({ field }) => field !== 'allocation');
  expect(() => wholePolicy({ type: { required: true } }, lacking)).toThrow(
    'The company has no policy field "allocation", so it cannot be kept as it is.',
  );
});

test('the current policy is needed as long as one part of one field is not set', () => {
  const whole = { required: true, automatic: true, defaultValue: null };
  const all = Object.fromEntries(POLICY_ROWS.map(({ field }) => [field, whole]));
  expect(isPartOfPolicy({})).toBe(false);
  expect(isPartOfPolicy(all)).toBe(false);
  expect(isPartOfPolicy({ ...all, type: { required: true, automatic: true } })).toBe(true);
  expect(isPartOfPolicy({ type: whole })).toBe(true);
});

test('export settings are filled up from the current ones, which are needed only then', () => {
  const now = { baseCurrency: 'EUR', companyCountryCode: 'EE', xmlImportParameter: 'A' };
  expect(wholeExport({ xmlImportParameter: 'B' }, now)).toEqual({ ...now, xmlImportParameter: 'B' });
  expect(wholeExport(now, null)).toEqual(now);
  expect([{}, { xmlImportParameter: 'B' }, now].map(isPartOfExport)).toEqual([false, true, false]);
  expect(() => wholeExport({ baseCurrency: 'EUR', companyCountryCode: 'EE' }, null)).toThrow(
    'so XML Import Parameter must be added, too.',
  );
});
