import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Schemas } from '../../../shared/api/routes';
import { type Choices, valuesOf } from '../../../shared/values/text';

/** Name of the form's part with the five policy fields. */
export const POLICY = 'accountingPolicy';

/** Value of a part of a row that stays as it is. */
export const KEEP = 'keep';

/** What the default value of a row can become. */
export const DEFAULT_VALUES = ['none', 'set'] as const;

/** The five policy fields, in the spec's order, with the kind of entry that each usually has. */
export const POLICY_ROWS: Array<{
  field: Schemas['PolicyFieldName'];
  label: string;
  kind: Schemas['CatalogKind'];
}> = [
  { field: 'warehouse', label: 'Warehouse', kind: 'warehouse' },
  { field: 'type', label: 'Type', kind: 'type' },
  { field: 'journal', label: 'Journal', kind: 'journal' },
  { field: 'allocation', label: 'Allocation', kind: 'account' },
  { field: 'vatClass', label: 'VAT Class', kind: 'vat_class' },
];

const KINDS: Choices<Schemas['CatalogKind']> = [
  { name: 'Account', value: 'account' },
  { name: 'Item', value: 'item' },
  { name: 'Journal', value: 'journal' },
  { name: 'Service', value: 'service' },
  { name: 'Type', value: 'type' },
  { name: 'VAT Class', value: 'vat_class' },
  { name: 'Warehouse', value: 'warehouse' },
];

/** The kinds of catalog entries that a default value can be of. */
export const CATALOG_KINDS = valuesOf(KINDS);

const KEPT: INodePropertyOptions = { name: 'Keep as It Is', value: KEEP };

const YES_OR_NO: INodePropertyOptions[] = [
  KEPT,
  { name: 'Yes', value: 'true' },
  { name: 'No', value: 'false' },
];

const whenSet: INodeProperties['displayOptions'] = { show: { defaultValue: ['set'] } };

function rowFields(kind: Schemas['CatalogKind']): INodeProperties[] {
  return [
    {
      displayName: 'Required',
      name: 'required',
      type: 'options',
      options: YES_OR_NO,
      default: KEEP,
      description: 'Whether the field must be filled in',
    },
    {
      displayName: 'Automatic',
      name: 'automatic',
      type: 'options',
      options: YES_OR_NO,
      default: KEEP,
      description: 'Whether the field is filled in automatically',
    },
    {
      displayName: 'Default Value',
      name: 'defaultValue',
      type: 'options',
      options: [
        KEPT,
        { name: 'None', value: 'none', description: 'The field has no default' },
        {
          name: 'Set',
          value: 'set',
          description:
            'Needs kind, ID, code and label. Get with All Fields shows them in accountingPolicy, for a company with the entry.',
        },
      ],
      default: KEEP,
      description: 'Default catalog entry of the field',
    },
    {
      displayName: 'Kind',
      name: 'kind',
      type: 'options',
      displayOptions: whenSet,
      options: KINDS,
      default: kind,
      description: 'Kind of the catalog entry',
    },
    {
      displayName: 'Catalog Entry ID',
      name: 'catalogEntryId',
      type: 'number',
      displayOptions: whenSet,
      typeOptions: { minValue: 0, numberPrecision: 0 },
      // No entry has it, so that one that was forgotten is asked for.
      default: 0,
      description:
        'ID of the entry in the catalog of the accounting system, as Get with All Fields returns it in accountingPolicy',
    },
    {
      displayName: 'Code',
      name: 'code',
      type: 'string',
      displayOptions: whenSet,
      default: '',
      placeholder: 'e.g. KM24',
      description: 'Code of the catalog entry',
    },
    {
      displayName: 'Label',
      name: 'label',
      type: 'string',
      displayOptions: whenSet,
      default: '',
      placeholder: 'e.g. Käibemaks 24%',
      description: 'Display name of the catalog entry',
    },
  ];
}

/** The five rows of the accounting policy, each of which can be added once. */
export const policyRows: INodeProperties = {
  displayName: 'Accounting Policy',
  name: POLICY,
  type: 'fixedCollection',
  placeholder: 'Add policy field',
  default: {},
  description: 'Policy fields that you do not add keep their values',
  options: POLICY_ROWS.map(({ field, label, kind }) => ({
    name: field,
    displayName: label,
    values: rowFields(kind),
  })),
};
