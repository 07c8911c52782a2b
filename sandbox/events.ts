import type { Agency } from './agency';
import { maySee } from './auth';
import { iso } from './clock';
import { newId } from './ids';
import type { Event } from './records';
import { visibleTypes } from './scopes';
import { findAccess } from './store/accesses';
import { addDelivery } from './store/deliveries';
import { enabledEndpoints, type StoredEndpoint } from './store/endpoints';
import { addEvent } from './store/events';

type NewEvent = Pick<Event, 'type' | 'companyId' | 'subject'>;

const createEvent = (agency: Agency, event: NewEvent): Event => ({
  id: newId('evt'),
  type: event.type,
  createdAt: iso(agency.clock.now()),
  companyId: event.companyId,
  subject: event.subject,
  data: {},
});

/** Whether the endpoint selects the event, and its access may see it. */
function wants(agency: Agency, endpoint: StoredEndpoint, event: Event): boolean {
  if (!endpoint.eventTypes.includes('*') && !endpoint.eventTypes.includes(event.type)) return false;
  const access = findAccess(agency.db, endpoint.accessId);
  if (!access) return false;
  return visibleTypes(access.scopes).includes(event.type) && maySee(access, event.companyId);
}

/** Puts an event into the feed, and has it sent to every endpoint that wants it. Part of the caller's transaction. */
export function emit(agency: Agency, newEvent: NewEvent): void {
  const event = createEvent(agency, newEvent);
  const seq = addEvent(agency.db, event, null);
  const now = agency.clock.now();
  for (const endpoint of enabledEndpoints(agency.db)) {
    if (wants(agency, endpoint, event)) addDelivery(agency.db, endpoint.id, seq, now, now);
  }
  agency.agenda.wake();
}

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
