import type { IHookFunctions, INodeProperties, ITriggerFunctions } from 'n8n-workflow';
import { isLoopback } from '../shared/api/credential';
import { withLink } from '../shared/api/errors/error-messages';
import { DOCS } from '../shared/docs';
import { companiesFields, eventsField, includeField } from '../shared/events/parameters';
import { optionsField } from '../shared/fields/options-field';
import { InputError } from '../shared/input-error';
import { trueOrFalse } from '../shared/values/booleans';
import { isRecord } from '../shared/values/json';
import { wholeNumber } from '../shared/values/text';
import { DEFAULT_HISTORY_SIZE, SMALLEST_HISTORY_SIZE } from './deduplication/deduplication';

const LONGEST_INTERVAL = 1_440;
const LONGEST_WINDOW = 30;
const LARGEST_HISTORY_SIZE = 500_000;
const DEFAULT_INTERVAL = 10;
const DEFAULT_WINDOW = 3;
const DEFAULTS = {
  feedComparisonInterval: DEFAULT_INTERVAL,
  deduplicationHistorySize: DEFAULT_HISTORY_SIZE,
  recoveryWindow: DEFAULT_WINDOW,
  recoverUnpublished: true,
};

/** The trigger's fields. */
export const parameters: INodeProperties[] = [
  eventsField(),
  ...companiesFields,
  includeField,
  optionsField([
    {
      displayName: 'Check Feed Every (Minutes)',
      name: 'feedComparisonInterval',
      type: 'number',
      typeOptions: { minValue: 0, maxValue: LONGEST_INTERVAL, numberPrecision: 0 },
      default: DEFAULT_INTERVAL,
      description:
        "How often to compare the deliveries with the agency's event feed and run the events that did not arrive. Needs a key with the scope events:read. 0 turns the comparison off.",
    },
    {
      displayName: 'Deduplication History Size',
      name: 'deduplicationHistorySize',
      type: 'number',
      typeOptions: { minValue: SMALLEST_HISTORY_SIZE, maxValue: LARGEST_HISTORY_SIZE, numberPrecision: 0 },
      default: DEFAULT_HISTORY_SIZE,
      description:
        'How many events n8n remembers to recognize repeats. The agency repeats a call for up to 45 hours: raise this if more events arrive in that time. A larger number makes every event a little slower.',
    },
    {
      displayName: 'Recovery Window (Days)',
      name: 'recoveryWindow',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: LONGEST_WINDOW, numberPrecision: 0 },
      default: DEFAULT_WINDOW,
      description:
        'How far back to look for events that did not arrive. Events from before the first publication never run.',
    },
    {
      displayName: 'Include Unpublished Time',
      name: 'recoverUnpublished',
      type: 'boolean',
      default: true,
      description:
        'Whether events that occur while the workflow is unpublished run when you publish it again, as far back as the recovery window goes',
    },
  ]),
];

/** How a node compares with the event feed. */
export interface RecoverySettings {
  /** 0: not at all. */
  everyMinutes: number;
  windowDays: number;
  recoverUnpublished: boolean;
}

/**
 * Reads how the node compares with the event feed.
 *
 * @throws InputError for a value that cannot be used
 */
export function recoverySettings(context: IHookFunctions | ITriggerFunctions): RecoverySettings {
  const { feedComparisonInterval, recoveryWindow, recoverUnpublished } = chosenOptions(context);
  return {
    everyMinutes: wholeNumber('Check Feed Every (Minutes)', feedComparisonInterval, 0, LONGEST_INTERVAL),
    windowDays: wholeNumber('Recovery Window (Days)', recoveryWindow, 1, LONGEST_WINDOW),
    recoverUnpublished: trueOrFalse('Include Unpublished Time', recoverUnpublished),
  };
}

/**
 * Looks at all options, so that a mistake is said when a person publishes the workflow.
 *
 * @throws InputError
 */
export function checkOptions(context: IHookFunctions): void {
  recoverySettings(context);
  const { deduplicationHistorySize } = chosenOptions(context);
  wholeNumber(
    'Deduplication History Size',
    deduplicationHistorySize,
    SMALLEST_HISTORY_SIZE,
    LARGEST_HISTORY_SIZE,
  );
}

/** The options as they are set. One that an expression gives nothing for is not the same as one that was not added. */
function chosenOptions(context: IHookFunctions | ITriggerFunctions): Record<string, unknown> {
  const options = context.getNodeParameter('options', {});
  return { ...DEFAULTS, ...(isRecord(options) ? options : {}) };
}

/**
 * Looks whether the agency can deliver to n8n.
 *
 * @param url the address that n8n gives the node
 * @param agency the agency's address
 * @throws InputError when it is not `https`, or only this machine can reach it while the agency is elsewhere
 */
export function checkUrl(url: string, agency: string): void {
  const way = withLink(
    "Set n8n's environment variable WEBHOOK_URL to the https address at which n8n can be reached from the internet, restart n8n, and publish the workflow (in n8n 1: activate it) again. More help",
    DOCS.troubleshooting,
  );
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
