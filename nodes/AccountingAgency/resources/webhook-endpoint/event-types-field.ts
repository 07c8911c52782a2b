import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { EVENT_TYPE_OPTIONS, EVENT_TYPES } from '../../../shared/events/event-types';
import type { Schemas } from '../../../shared/api/routes';
import { InputError } from '../../../shared/input-error';
import { choice, parseStringList } from '../../../shared/values/text';

/** The API's word for all events that the key may see, of this and later versions. */
const ALL = '*' as const;

const FIELD = 'Event Types';

const allEvents: INodePropertyOptions = {
  name: 'All Events',
  value: ALL,
  description: 'Every event that the key has access to',
};

/** Which events are sent to a webhook endpoint. */
export const eventTypesField: INodeProperties = {
  displayName: FIELD,
  name: 'eventTypes',
  type: 'multiOptions',
  required: true,
  options: [allEvents, ...EVENT_TYPE_OPTIONS],
  default: [ALL],
  description: 'The types of events to send to the address',
};

/**
 * The event types of a webhook endpoint as the API takes them: `['*']` or a list of types.
 *
 * @throws InputError for none, for one that the API does not have, and for all together with others
 */
export function eventTypes(value: unknown): Array<Schemas['EndpointEventType']> {
  const types = parseStringList(FIELD, value).map((type) => choice(FIELD, type, [ALL, ...EVENT_TYPES]));
  if (types.length === 0) {
    throw new InputError(FIELD, 'is empty.', 'Select All Events, or at least one event type.');
  }
  if (types.length > 1 && types.includes(ALL)) {
    throw new InputError(
      FIELD,
      'contains All Events and others.',
      'Remove All Events to get only the types that you select, or remove the others.',
    );
  }
  return [...new Set(types)];
}
