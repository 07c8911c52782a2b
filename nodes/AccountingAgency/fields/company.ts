import type { INodeProperties } from 'n8n-workflow';
import { companyLocator } from '../../shared/fields/company-locator';

/** What the field is called, in messages too. */
export const COMPANY = 'Company';
/** The parameter, and the filter, that hold the company. */
export const COMPANY_ID = 'companyId';
/** The mode in which the company is given by its registration or VAT code. */
export const BY_CODE = 'code';

const { modes = [], ...locator } = companyLocator({ name: COMPANY_ID });

/** The field for the one company that an operation is about. */
export const companyField: INodeProperties = {
  ...locator,
  description: 'Select the company from the list, or enter its ID or its registration or VAT code',
  modes: [
    ...modes,
    {
      displayName: 'By Code',
      name: BY_CODE,
      type: 'string',
      placeholder: 'e.g. EE101234567',
      hint: 'Registration or VAT code, with or without country letters and spaces',
    },
  ],
};

/** The same as a filter. */
export const companyFilter: INodeProperties = {
  ...companyField,
  required: false,
  description: `Only this company. ${companyField.description}.`,
};
