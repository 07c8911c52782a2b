import type { IHookFunctions, INode, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { isLoopback } from '../shared/api/address';
import { isRecord } from '../shared/values/json';
import { companyLocator } from '../shared/fields/company-locator';
import { EVENT_TYPE_OPTIONS } from '../shared/events/event-types';
import { InputError } from '../shared/input-error';
import type { Wanted } from './delivery';

const DEFAULT_ENTRIES = 10_000;

/** The trigger's fields. */
export const settingFields: INodeProperties[] = [
  {
    displayName: 'Events',
    name: 'events',
    type: 'options',
    noDataExpression: true,
    options: [
      {
        name: 'All Events',
        value: 'all',
        description: 'Every event that the key may see, except tests of the endpoint',
      },
      { name: 'Chosen Events', value: 'chosen', description: 'Only events of the types that you choose' },
    ],
    default: 'all',
    description: 'Which events start the workflow',
  },
  {
    displayName: 'Event Types',
    name: 'eventTypes',
    type: 'multiOptions',
    noDataExpression: true,
    required: true,
    displayOptions: { show: { events: ['chosen'] } },
    options: EVENT_TYPE_OPTIONS,
    default: [],
    description: 'The types of events that start the workflow',
  },
  {
    displayName: 'Companies',
    name: 'companies',
    type: 'options',
    noDataExpression: true,
    options: [
      { name: 'All Companies', value: 'all', description: 'Events of every company that the key may see' },
      {
        name: 'Chosen Companies',
        value: 'chosen',
        description: 'Only events of the companies that you choose',
      },
    ],
    default: 'all',
    description: 'Of which companies events start the workflow',
  },
  {
    displayName: 'Chosen Companies',
    name: 'companyList',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Company' },
    displayOptions: { show: { companies: ['chosen'] } },
    default: { values: [] },
    placeholder: 'Add Company',
    description: 'The companies whose events start the workflow',
    options: [{ displayName: 'Companies', name: 'values', values: [companyLocator()] }],
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    default: {},
    placeholder: 'Add option',
    options: [
      {
        displayName: 'Remembered Entries',
        name: 'rememberedEntries',
        type: 'number',
        typeOptions: { minValue: 100, maxValue: 1_000_000, numberPrecision: 0 },
        default: DEFAULT_ENTRIES,
        description:
          'How many entries n8n keeps to recognise an event that comes again. Each event takes two. The agency repeats a call for up to 45 hours: raise this if more than 5,000 events arrive in that time. A larger number makes every event a little slower.',
      },
    ],
  },
];

/** How many entries n8n keeps for a node. `entered` is the field's value, whatever it is. */
export function entriesKept(entered: unknown): number {
  return typeof entered === 'number' && entered >= 100 ? Math.floor(entered) : DEFAULT_ENTRIES;
}

/** Which events the node is set to. */
export function wantedEvents(context: IHookFunctions | IWebhookFunctions): Wanted {
  const types = context.getNodeParameter('eventTypes', []);
  const companies = context.getNodeParameter('companyList.values', []);
  return {
    types:
      context.getNodeParameter('events', 'all') === 'all'
        ? 'all'
        : (Array.isArray(types) ? types : []).filter((type) => typeof type === 'string'),
    companies:
      context.getNodeParameter('companies', 'all') === 'all'
        ? 'all'
        : (Array.isArray(companies) ? companies : []).map(companyId).filter((id) => id !== ''),
  };
}

/**
 * Looks at what a person must mend before anything is asked of the agency.
 *
 * @throws InputError
 */
export function checkWanted({ types, companies }: Wanted): void {
  if (types.length === 0)
    throw new InputError('Event Types', 'is empty.', 'Choose at least one type of event.');
  if (companies.length === 0) {
    throw new InputError('Chosen Companies', 'is empty.', 'Add a company, or set Companies to all.');
  }
}

/**
 * Looks at the node's own settings. With "Always Output Data", n8n makes an item of nothing, and so would run the next
 * nodes for an event that has run before.
 *
 * @throws InputError
 */
export function checkNode({ alwaysOutputData }: Pick<INode, 'alwaysOutputData'>): void {
  if (alwaysOutputData === true) {
    throw new InputError(
      'Always Output Data',
      'would run the next nodes again for an event that comes twice.',
      'Turn it off in the settings of this node.',
    );
  }
}

/**
 * Looks whether the agency can deliver to n8n.
 *
 * @param url the address that n8n gives the node
 * @param agency the agency's address
 * @throws InputError when it is not `https`, or only this machine can reach it while the agency is elsewhere
 */
export function checkUrl(url: string, agency: string): void {
  const way =
    "Set n8n's environment variable WEBHOOK_URL to the https address under which n8n is reached from the internet, restart n8n, and publish the workflow (in n8n 1: activate it) again.";
  const { protocol, hostname, origin } = URL.canParse(url)
    ? new URL(url)
    : { protocol: '', hostname: '', origin: url };
  if (protocol !== 'https:') {
    throw new InputError(
      'The webhook address of n8n',
      `is ${origin}, but the agency delivers to https only.`,
      way,
    );
  }
  if (isLoopback(hostname) && !isLoopback(new URL(agency).hostname)) {
    throw new InputError('The webhook address of n8n', `is ${origin}, which the agency cannot reach.`, way);
  }
}

/** The ID in a row of Chosen Companies. */
function companyId(row: unknown): string {
  const locator = isRecord(row) ? row.company : undefined;
  const value = isRecord(locator) ? locator.value : locator;
  return typeof value === 'string' ? value.trim() : '';
}
