import type { Agency } from './agency';
import { maySee, type Principal } from './auth';
import { iso } from './clock';
import { newId } from './ids';
import type { Event, EventType } from './records';
import { visibleTypes } from './scopes';
import { findAccess } from './store/accesses';
import { addDelivery } from './store/deliveries';
import { enabledEndpoints, type StoredEndpoint } from './store/endpoints';
import { addEvent } from './store/events';

/** What happened, to what, of which company. */
export type NewEvent = Pick<Event, 'type' | 'companyId' | 'subject'>;

const createEvent = (agency: Agency, event: NewEvent & { at?: number }): Event => ({
  id: newId('evt'),
  type: event.type,
  createdAt: iso(event.at ?? agency.clock.now()),
  companyId: event.companyId,
  subject: event.subject,
  data: {},
});

/** An endpoint, with what its access may see of what it selects. */
interface Subscriber {
  endpointId: string;
  types: EventType[];
  companies: Principal['companies'];
}

function subscribersOf(agency: Agency): Subscriber[] {
  return enabledEndpoints(agency.db).flatMap(({ id, accessId, eventTypes }) => {
    const access = findAccess(agency.db, accessId);
    if (!access) return [];
    const selected = (type: EventType) => eventTypes.includes('*') || eventTypes.includes(type);
    const types = visibleTypes(access.scopes).filter(selected);
    return [{ endpointId: id, types, companies: access.companies }];
  });
}

/**
 * Puts events into the feed, and has each sent to every endpoint that wants it. Part of the caller's transaction.
 * @param newEvents Oldest first; `at` is when it happened, in milliseconds, instead of now.
 */
export function emitAll(agency: Agency, newEvents: Iterable<NewEvent & { at?: number }>): void {
  const subscribers = subscribersOf(agency);
  const now = agency.clock.now();
  for (const newEvent of newEvents) {
    const event = createEvent(agency, newEvent);
    const seq = addEvent(agency.db, event, null);
    for (const subscriber of subscribers) {
      if (!subscriber.types.includes(event.type) || !maySee(subscriber, event.companyId)) continue;
      addDelivery(agency.db, subscriber.endpointId, seq, now, now);
    }
  }
  agency.agenda.wake();
}

/** Puts one event into the feed, as `emitAll` does. */
export const emit = (agency: Agency, newEvent: NewEvent): void => emitAll(agency, [newEvent]);

/**
 * Makes the `webhook.test` event of one endpoint, which is not in the feed.
 * @returns The id of its delivery, which is not scheduled.
 */
export function createTestEvent(
  agency: Agency,
  endpoint: StoredEndpoint,
): { event: Event; deliveryId: number } {
  const subject = { type: 'webhook_endpoint', id: endpoint.id };
  const event = createEvent(agency, { type: 'webhook.test', companyId: null, subject });
  const seq = addEvent(agency.db, event, endpoint.id);
  return { event, deliveryId: addDelivery(agency.db, endpoint.id, seq, agency.clock.now(), null) };
}
