import { checkFilter } from '../access/authentication';
import { visibleTypes } from '../access/scopes';
import { newId } from '../ids';
import type { Event, EventType, Query } from '../records';
import { ok, type Operation } from '../server/operation';
import { findAccess } from '../store/accesses';
import { addDeliveries, addDelivery } from '../store/deliveries';
import { enabledEndpoints, type StoredEndpoint } from '../store/endpoints';
import { addEvent, addToFeed, listEvents } from '../store/events';
import { iso } from '../time/clock';
import type { Agency } from './agency';

/** What happened to a record: `id` and `companyId` are the record's. */
export interface NewEvent extends Pick<Event, 'id' | 'type' | 'companyId'> {
  /** Milliseconds; now when absent. */
  at?: number;
}

/** The record that an event is about. Its kind is the first word of the event's type. */
export const subjectOf = (type: EventType, id: string): Event['subject'] => ({
  type: type.slice(0, type.indexOf('.')),
  id,
});

const createEvent = ({ id, type, companyId }: NewEvent, at: number): Event => ({
  id: newId('evt'),
  type,
  createdAt: iso(at),
  companyId,
  subject: subjectOf(type, id),
  data: {},
});

/**
 * Puts events into the feed, and has each sent to every endpoint that selects it and whose access may see it.
 * Part of the caller's transaction.
 * @param newEvents Oldest first.
 */
export function emitAll(agency: Agency, newEvents: NewEvent[]): void {
  const { db } = agency;
  const now = agency.clock.now();
  const events = newEvents.map((event) => createEvent(event, event.at ?? now));
  const after = addToFeed(db, events);
  for (const { id, accessId, eventTypes } of enabledEndpoints(db)) {
    const access = findAccess(db, accessId);
    if (!access) continue;
    const selected = (type: EventType) => eventTypes.includes('*') || eventTypes.includes(type);
    const types = visibleTypes(access.scopes).filter(selected);
    addDeliveries(db, id, { after, types, companies: access.companies }, now);
  }
  agency.agenda.wake();
}

/** Puts the event of a record into the feed, as `emitAll` does. */
export const emit = (
  agency: Agency,
  type: EventType,
  { id, companyId }: Pick<NewEvent, 'id' | 'companyId'>,
): void => emitAll(agency, [{ id, type, companyId }]);

/**
 * Makes the `webhook.test` event of one endpoint, which is not in the feed.
 * @returns The id of its delivery, which is not scheduled.
 */
export function createTestEvent(
  agency: Agency,
  endpoint: StoredEndpoint,
): { event: Event; deliveryId: number } {
  const { id } = endpoint;
  const now = agency.clock.now();
  const made = createEvent({ id, type: 'webhook.test', companyId: null }, now);
  const event = { ...made, subject: { type: 'webhook_endpoint', id } };
  const seq = addEvent(agency.db, event, id);
  return { event, deliveryId: addDelivery(agency.db, id, seq, now) };
}

/** The feed's cursor points past the newest event returned, and stays when there is nothing new. */
export const list: Operation = (call, agency) => {
  const { after, type, companyId } = call.query as Query<'events.list'>;
  const { accessId, companies, scopes } = call.principal;
  checkFilter(agency, call.principal, companyId);
  const cursor = { operation: call.operationId, accessId, filters: { type, companyId } };
  const [last = 0] = (agency.cursors.read(cursor, after) ?? []).map(Number);
  const types = visibleTypes(scopes).filter((visible) => type === undefined || visible === type);
  const found = listEvents(agency.db, {
    companies,
    types,
    companyId,
    after: last,
    limit: Number(call.query.limit),
  });
  const newest = found.at(-1);
  return ok({
    data: found.map(({ event }) => event),
    nextCursor: newest ? agency.cursors.write(cursor, [newest.seq]) : (after ?? null),
  });
};
