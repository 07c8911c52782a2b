import type { INodeProperties } from 'n8n-workflow';

/** The collection "Options" of a node or an operation, with these entries. */
export function optionsField(options: INodeProperties[]): INodeProperties {
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options,
  };
}
