import {
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { EVENTS_SUBTITLE } from '../shared/events/parameters';
import { searchCompanies } from '../shared/fields/search-companies';
import { parameters } from './parameters';

/** Starts a workflow with the events of the agency's feed: for an n8n that the agency cannot reach. */
export class AccountingAgencyFeedTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Accounting Agency Feed Trigger',
    name: 'accountingAgencyFeedTrigger',
    icon: {
      light: 'file:../../icons/accountingAgency.light.svg',
      dark: 'file:../../icons/accountingAgency.dark.svg',
    },
    group: ['trigger'],
    version: 1,
    subtitle: EVENTS_SUBTITLE,
    description:
      "Starts the workflow with new events from the agency's event feed, even if n8n has no public address",
    defaults: { name: 'Accounting Agency Feed Trigger' },
    builderHint: {
      searchHint:
        'The same events as the Accounting Agency Trigger, by polling, for n8n without a public https address. Set Include to get the document and its file with the event.',
    },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'accountingAgencyApi', required: true }],
    activationMessage: 'New events from the agency now start this workflow.',
    triggerPanel: {
      header: 'Start the workflow with new events from the agency',
      executionsHelp: {
        inactive:
          '<b>While building the workflow</b>, click "Fetch Test Event" to get the newest event that matches.<br /><br /><b>When it is ready</b>, publish it (in n8n 1: activate it). From then on, n8n looks for new events at the Poll Times, and new ones start it and appear under Executions.',
        active:
          '<b>While building the workflow</b>, click "Fetch Test Event" to get the newest event that matches.<br /><br /><b>The workflow is published</b> (in n8n 1: active). n8n looks for new events at the Poll Times, and new ones start it and appear under Executions.',
      },
      activationHint: 'Publish the workflow (in n8n 1: activate it) to start it with every new event.',
    },
    properties: parameters,
  };

  methods = { listSearch: { searchCompanies } };

  /** Called at the Poll Times, at publication, at every start of n8n, and by Fetch Test Event. */
  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    // Loaded with the first poll, since n8n loads every node when it starts.
    const { poll } = await import('./poll');
    return await poll(this);
  }
}
