import { checkFilter } from '../access/authentication';
import { visibleTypes } from '../access/scopes';
import { newId } from '../ids';
import type { Event, EventType } from '../records';
import { ok, type Operation } from '../server/operation';
import { pageLimit } from '../server/paging';
import { findAccess } from '../store/accesses';
import { addDeliveries, addDelivery } from '../store/deliveries';
import { enabledEndpoints, type StoredEndpoint } from '../store/endpoints';
import { addEvent, addToFeed, listEvents } from '../store/events';
import { iso } from '../time/clock';
import type { Agency } from './agency';

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

/**
 * Puts events into the feed, and has each sent to every endpoint that selects it and whose access may see it.
 * Part of the caller's transaction.
 * @param newEvents Oldest first; `at` is when it happened, in milliseconds, instead of now.
 */
export function emitAll(agency: Agency, newEvents: (NewEvent & { at?: number })[]): void {
  const { db, clock } = agency;
  const after = addToFeed(
    db,
    newEvents.map((event) => createEvent(agency, event)),
  );
  for (const { id, accessId, eventTypes } of enabledEndpoints(db)) {
    const access = findAccess(db, accessId);
    if (!access) continue;
    const selected = (type: EventType) => eventTypes.includes('*') || eventTypes.includes(type);
    const types = visibleTypes(access.scopes).filter(selected);
    addDeliveries(db, id, { after, types, companies: access.companies }, clock.now());
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

interface Filters {
  after?: string;
  type?: EventType;
  companyId?: string;
}

/** The feed's cursor points past the newest event returned, and stays when there is nothing new. */
export const list: Operation = (call, agency) => {
  const { after, type, companyId } = call.query as Filters;
  const { accessId, companies, scopes } = call.principal;
  checkFilter(agency, call.principal, companyId);
  const cursor = { operation: 'events.list', accessId, filters: { type, companyId } };
  const [last = 0] = (agency.cursors.read(cursor, after) ?? []).map(Number);
  const types = visibleTypes(scopes).filter((visible) => type === undefined || visible === type);
  const found = listEvents(agency.db, { companies, types, companyId, after: last, limit: pageLimit(call) });
  const newest = found.at(-1);
  return ok({
    data: found.map(({ event }) => event),
    nextCursor: newest ? agency.cursors.write(cursor, [newest.seq]) : (after ?? null),
  });
};
