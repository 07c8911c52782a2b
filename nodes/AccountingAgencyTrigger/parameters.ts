import type { INode, INodeProperties } from 'n8n-workflow';
import { isLoopback } from '../shared/api/address';
import { companiesFields, eventsField, includeField } from '../shared/events/parameters';
import { InputError } from '../shared/input-error';
import { DEFAULT_HISTORY_SIZE, SMALLEST_HISTORY_SIZE } from './deduplication';

/** The trigger's fields. */
export const parameters: INodeProperties[] = [
  eventsField(),
  ...companiesFields,
  includeField,
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    default: {},
    placeholder: 'Add option',
    options: [
      {
        displayName: 'Deduplication History Size',
        name: 'deduplicationHistorySize',
        type: 'number',
        typeOptions: { minValue: SMALLEST_HISTORY_SIZE, maxValue: 500_000, numberPrecision: 0 },
        default: DEFAULT_HISTORY_SIZE,
        description:
          'How many events n8n remembers to recognize one that comes again. The agency repeats a call for up to 45 hours: raise this if more events arrive in that time. A larger number makes every event a little slower.',
      },
    ],
  },
];

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
