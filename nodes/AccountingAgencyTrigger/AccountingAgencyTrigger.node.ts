import {
  type IExecuteFunctions,
  type IHookFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type ITriggerFunctions,
  type ITriggerResponse,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { eventFilter, matches } from '../shared/events/filter';
import { EVENTS_SUBTITLE } from '../shared/events/parameters';
import { eventItem } from '../shared/events/record';
import '../shared/n8n-version';
import { searchCompanies } from '../shared/fields/search-companies';
import { answeredAsTaken } from './answer';
import { answerWhenStored, firstTimeItems, isCopy, storesBeforeAnswer } from './deduplication/deduplication';
import { parameters } from './parameters';
import { logRefusal } from './refusal-log';
import { withRecords } from './records';
import { createEndpoint, deleteEndpoint, endpointExists } from './endpoint/registration';
import { memoryOf } from './state/memory';
import { saveNewest } from './state/saving';
import { readRegistration } from './state/static-data';
import { TEST_EVENT } from '../shared/events/event-types';

/** Starts a workflow when something happens at the agency: registers a webhook endpoint and takes its signed calls. */
export class AccountingAgencyTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Accounting Agency Trigger',
    name: 'accountingAgencyTrigger',
    icon: {
      light: 'file:../../icons/accountingAgency.light.svg',
      dark: 'file:../../icons/accountingAgency.dark.svg',
    },
    group: ['trigger'],
    // n8n evaluates an expression of its own on every call to a trigger of version 1.
    version: 2,
    subtitle: EVENTS_SUBTITLE,
    // n8n's nodes panel shows it for the action node as well, which it lists as one with the trigger.
    description:
      'File documents and follow month-end work at an accounting agency, or start a workflow when something happens there, e.g. when a document is recognized',
    defaults: { name: 'Accounting Agency Trigger' },
    builderHint: {
      searchHint:
        'Starts when a document arrives or is recognized, or month-end work or a company changes. Set Include to get the document and its file with the event. Each event comes once, so no check for repeats is needed.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-accounting-agency.accountingAgencyFeedTrigger',
          relationHint: 'Where n8n has no public https address',
        },
      ],
    },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'accountingAgencyApi', required: true }],
    webhooks: [
      answeredAsTaken({
        name: 'default',
        httpMethod: 'POST',
        responseMode: 'onReceived',
        responseData: 'noData',
        path: 'webhook',
      }),
    ],
    eventTriggerDescription: 'Waiting for an event from the agency',
    waitingNodeTooltip:
      'Webhook registered. Now trigger an event at the agency, for example by uploading a document.',
    activationMessage: 'Webhook registered at the agency. Its events now start this workflow.',
    triggerPanel: {
      header: 'Start the workflow with an event from the agency',
      executionsHelp: {
        inactive:
          '<b>While building the workflow</b>, click "Execute step", then trigger an event at the agency, for example by uploading a document. n8n removes the test webhook after the first event or after two minutes.<br /><br /><b>When it is ready</b>, publish it (in n8n 1: activate it). From then on, events start it and appear under Executions.',
        active:
          '<b>While building the workflow</b>, click "Execute step", then trigger an event at the agency, for example by uploading a document. n8n removes the test webhook after the first event or after two minutes. The published workflow receives the event too.<br /><br /><b>The workflow is published</b> (in n8n 1: active). Events start it and appear under Executions.',
      },
      activationHint: 'Publish the workflow (in n8n 1: activate it) to start it with every event.',
    },
    properties: parameters,
  };

  methods = { listSearch: { searchCompanies } };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return await endpointExists(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        return await createEndpoint(this);
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return await deleteEndpoint(this);
      },
    },
  };

  /**
   * One call to the webhook address. It is answered with 202 when n8n has stored the execution: by n8n 2 itself, with
   * n8n 1 by the node. An event that the node does not want is answered with 202 as well.
   */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    // Loaded with the first call, since n8n loads every node when it starts.
    const { rawBodyOf, readDelivery } = await import('./signed-call');
    const call = { headers: this.getHeaderData(), rawBody: await rawBodyOf(this.getRequestObject()) };
    const { endpoint } = readRegistration(this);
    const memory = memoryOf(this);
    const saved = readDelivery({ ...call, secret: endpoint?.secret });
    const isTest = this.getMode() === 'manual';
    const made = isTest ? undefined : memory.made;
    // What is saved may be older: an endpoint was created while the workflow was running, or another node of the
    // workflow has put back what n8n had saved before.
    const verdict =
      'refusal' in saved && made !== undefined
        ? readDelivery({ ...call, secret: made.endpoint.secret })
        : saved;
    if ('event' in verdict && verdict !== saved) memory.isUnsaved = true;
    if ('refusal' in verdict) {
      if (verdict.cause !== undefined) logRefusal(this, verdict.cause);
      const { status, body } = verdict.refusal;
      this.getResponseObject().status(status).json(body);
      return { noWebhookResponse: true };
    }
    if (!isTest) memory.takesCalls = true;
    const { event } = verdict;
    const isOurTest = event.type === TEST_EVENT && memory.isSaving === true;
    if (isOurTest || !matches(event, eventFilter(this)) || (await isCopy(this, event.id))) {
      // n8n saves static data only after calls that start nothing.
      saveNewest(this);
      return {};
    }
    const endpointId = (verdict === saved ? endpoint : made?.endpoint)?.id ?? null;
    const workflowData = [[eventItem(event, { source: 'webhook', endpointId })]];
    if (isTest || storesBeforeAnswer(this)) return { workflowData };
    void answerWhenStored(this, event.id);
    return { workflowData, noWebhookResponse: true };
  }

  /** Called when the workflow is published and at every start of n8n, beside the hooks. */
  async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
    const { startRecovery } = await import('./recovery/start-recovery');
    return startRecovery(this);
  }

  /** Called with what `webhook` or `trigger` gave, in the execution that n8n stored: an event that has run before ends it. */
  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [await withRecords(this, await firstTimeItems(this))];
  }
}
