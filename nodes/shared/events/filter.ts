import type { IHookFunctions, IPollFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';
import { InputError } from '../input-error';
import { isRecord } from '../values/json';
import { choice } from '../values/text';
import { type AgencyEvent, EVENT_TYPES, TEST_EVENT } from './event-types';
import { ALL_EVENTS } from './parameters';

/** Which events start a workflow. */
export interface EventFilter {
  /** Event types; `ALL_EVENTS` among them stands for every type, also unknown ones, except the test event. */
  types: readonly string[];
  /** Company IDs; an empty text is a row without a company, and fits none. */
  companies: 'all' | readonly string[];
}

/** The contexts in which a trigger reads its parameters without an item. */
type Context = IHookFunctions | IPollFunctions | ITriggerFunctions | IWebhookFunctions;

/** Reads the filter that a trigger is set to. Never throws: `checkFilter` says what is wrong with it. */
export function eventFilter(context: Context): EventFilter {
  const types = context.getNodeParameter('events', [ALL_EVENTS]);
  const rows = context.getNodeParameter('companyList.values', []);
  return {
    types: (Array.isArray(types) ? types : []).filter((type) => typeof type === 'string'),
    companies:
      context.getNodeParameter('companies', 'all') === 'all'
        ? 'all'
        : (Array.isArray(rows) ? rows : []).map(companyId),
  };
}

/**
 * Checks that a filter can let an event through.
 *
 * @throws InputError
 */
export function checkFilter({ types, companies }: EventFilter): void {
  if (types.length === 0) throw new InputError('Events', 'is empty.', 'Select at least one event.');
  // A misspelled one, e.g. of a generated workflow, would start nothing and never say so.
  if (!types.includes(ALL_EVENTS)) for (const type of types) choice('Events', type, EVENT_TYPES);
  if (companies === 'all') return;
  if (companies.length === 0) {
    throw new InputError('Selected Companies', 'is empty.', 'Add a company, or set Companies to all.');
  }
  const empty = companies.indexOf('');
  if (empty >= 0) {
    throw new InputError(`Selected Companies ${empty + 1}`, 'is empty.', 'Select a company, or remove it.');
  }
}

/** Whether an event passes a filter. */
export function matches(
  { type, companyId: company }: AgencyEvent,
  { types, companies }: EventFilter,
): boolean {
  if (!types.includes(type) && (type === TEST_EVENT || !types.includes(ALL_EVENTS))) return false;
  // A test event belongs to no company.
  return companies === 'all' || type === TEST_EVENT || (company !== null && companies.includes(company));
}

/** The ID in a row of Selected Companies; an empty text when there is none. */
function companyId(row: unknown): string {
  const locator = isRecord(row) ? row.company : undefined;
  const value = isRecord(locator) ? locator.value : locator;
  return typeof value === 'string' ? value.trim() : '';
}
