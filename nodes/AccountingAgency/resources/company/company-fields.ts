import type { Schemas } from '../../../shared/api/routes';
import type { Choices } from '../../fields/choices';
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
    description: 'The address of the company',
  }),
  directorName: textChange(LONGEST_TEXT, {
    displayName: 'Director Name',
    name: 'directorName',
    placeholder: 'e.g. Mari Õunapuu',
    description: 'The name of the director',
  }),
  employeesFrom: dateChange({
    displayName: 'Employees From',
    name: 'employeesFrom',
    description: 'The day since when the company has employees, which decides on its monthly work',
  }),
  employeesTo: dateChange({
    displayName: 'Employees To',
    name: 'employeesTo',
    description: 'The day until when the company has employees, which decides on its monthly work',
  }),
  legalForm: textChange(LONGEST_TEXT, {
    displayName: 'Legal Form',
    name: 'legalForm',
    placeholder: 'e.g. OÜ',
    description: 'The legal form of the company',
  }),
  serviceStoppedFrom: dateChange({
    displayName: 'Service Stopped From',
    name: 'serviceStoppedFrom',
    description: 'The day from which the agency no longer serves the company',
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
    description: 'The name that the agency uses in everyday work',
  }),
  vatFrom: dateChange({
    displayName: 'VAT From',
    name: 'vatFrom',
    description: 'The day since when the company is liable to VAT, which decides on its monthly work',
  }),
  vatPeriod: choiceChange(VAT_PERIODS, 'monthly', {
    displayName: 'VAT Period',
    name: 'vatPeriod',
    clearable: true,
    description: 'How often the company declares VAT: monthly, quarterly or semiannual',
  }),
  vatTo: dateChange({
    displayName: 'VAT To',
    name: 'vatTo',
    description: 'The day until when the company is liable to VAT, which decides on its monthly work',
  }),
};

/** The fields of the form, in its order. */
export const COMPANY_CHANGES: ChangeField[] = Object.values(FIELDS);
