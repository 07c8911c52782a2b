import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import '../shared/n8n-version';
import { searchCompanies } from '../shared/fields/search-companies';
import { OUTPUTS } from './fields/node-outputs';
import { properties, subtitle } from './resources/registry';
import { runItems } from './engine/run-items';

/** The action node: every operation of the agency's API. */
export class AccountingAgency implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Accounting Agency',
    name: 'accountingAgency',
    icon: {
      light: 'file:../../icons/accountingAgency.light.svg',
      dark: 'file:../../icons/accountingAgency.dark.svg',
    },
    group: ['transform'],
    version: 1,
    subtitle,
    description:
      'File documents, work with companies and month-end work, submit AI task results, and read events of an accounting agency',
    defaults: { name: 'Accounting Agency' },
    usableAsTool: true,
    builderHint: {
      searchHint:
        "Work with an accounting agency's clients: file invoices, receipts and e-invoices, read recognized documents, month-end obligations (tax, VAT, payroll) and company settings",
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-accounting-agency.accountingAgencyTrigger',
          relationHint: 'Starts the workflow when a document arrives or is recognized',
        },
      ],
    },
    inputs: [NodeConnectionTypes.Main],
    outputs: OUTPUTS,
    credentials: [{ name: 'accountingAgencyApi', required: true }],
    // The signing secret of a new webhook endpoint. An n8n that heeds this shows it to nobody; later nodes get it.
    sensitiveOutputFields: ['secret'],
    properties,
  };

  methods = { listSearch: { searchCompanies } };

  execute = runItems;
}
