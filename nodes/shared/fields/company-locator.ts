import type { INodeProperties } from 'n8n-workflow';

/**
 * A field for one company: picked from the searchable list, or given by ID. Its value is a resource locator.
 * A node that has it lists `searchCompanies` among its `methods.listSearch`.
 *
 * @param changes what is different here, e.g. `displayOptions` or `required`
 */
export function companyLocator(changes: Partial<INodeProperties> = {}): INodeProperties {
  return {
    displayName: 'Company',
    name: 'company',
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    required: true,
    description: 'Select a company from the list, or enter its ID',
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        placeholder: 'Select a company...',
        typeOptions: { searchListMethod: 'searchCompanies', searchable: true },
      },
      {
        displayName: 'By ID',
        name: 'id',
        type: 'string',
        placeholder: 'e.g. 5f3a81c2',
      },
    ],
    ...changes,
  };
}
