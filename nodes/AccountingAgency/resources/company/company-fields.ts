import type { Schemas } from '../../../shared/api/routes';
import type { Choices } from '../../../shared/values/text';
import { type ChangeField, choiceChange, dateChange, textChange } from '../../fields/update-fields';

/** Spec: CompanyUpdate. */
const LONGEST_TEXT = 300;
const LONGEST_REASON = 200;

const VAT_PERIODS: Choices<Schemas['VatPeriod']> = [
  { name: 'Monthly', value: 'monthly' },
  { name: 'Quarterly', value: 'quarterly' },
  { name: 'Semiannual', value: 'semiannual' },
];

/** What can be changed of a company, by the names of the spec's CompanyUpdate. */
const FIELDS: { [K in keyof Required<Schemas['CompanyUpdate']>]: ChangeField } = {
  address: textChange(LONGEST_TEXT, {
    displayName: 'Address',
    name: 'address',
    placeholder: 'e.g. Pikk 12, 10123 Tallinn',
    description: 'Address of the company',
  }),
  directorName: textChange(LONGEST_TEXT, {
    displayName: 'Director Name',
    name: 'directorName',
    placeholder: 'e.g. Mari Õunapuu',
    description: 'Name of the director',
  }),
  employeesFrom: dateChange({
    displayName: 'Employees Since',
    name: 'employeesFrom',
    description: 'First day with employees, as YYYY-MM-DD. Determines monthly obligations',
  }),
  employeesTo: dateChange({
    displayName: 'Employees Until',
    name: 'employeesTo',
    description: 'Last day with employees, as YYYY-MM-DD. Determines monthly obligations',
  }),
  legalForm: textChange(LONGEST_TEXT, {
    displayName: 'Legal Form',
    name: 'legalForm',
    placeholder: 'e.g. OÜ',
    description: 'Legal form of the company',
  }),
  serviceStoppedFrom: dateChange({
    displayName: 'Service Stopped Since',
    name: 'serviceStoppedFrom',
    description: 'First day on which the agency no longer serves the company, as YYYY-MM-DD',
  }),
  serviceStoppedReason: textChange(LONGEST_REASON, {
    displayName: 'Service Stopped Reason',
    name: 'serviceStoppedReason',
    placeholder: 'e.g. Company was sold',
    description: 'Why the agency no longer serves the company',
  }),
  shortName: textChange(LONGEST_TEXT, {
    displayName: 'Short Name',
    name: 'shortName',
    placeholder: 'e.g. Õunapuu',
    description: 'Name that the agency uses in everyday work',
  }),
  vatFrom: dateChange({
    displayName: 'VAT Liable Since',
    name: 'vatFrom',
    description: 'First day of VAT liability, as YYYY-MM-DD. Determines monthly obligations',
  }),
  vatPeriod: choiceChange(VAT_PERIODS, 'monthly', {
    displayName: 'VAT Period',
    name: 'vatPeriod',
    clearable: true,
    description: 'How often the company declares VAT',
  }),
  vatTo: dateChange({
    displayName: 'VAT Liable Until',
    name: 'vatTo',
    description: 'Last day of VAT liability, as YYYY-MM-DD. Determines monthly obligations',
  }),
};

/** The fields of the form, in its order. */
export const COMPANY_CHANGES: ChangeField[] = Object.values(FIELDS);
