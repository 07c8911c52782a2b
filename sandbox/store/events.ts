import type { Event, EventType } from '../records';
import type { Database } from './database';

/** An event with its number in the feed. */
export interface StoredEvent {
  seq: number;
  event: Event;
}

/** Adds an event that is for one endpoint alone (`webhook.test`), not in the feed. @returns Its number. */
export function addEvent(db: Database, event: Event, endpointId: string): number {
  const { id, type, companyId } = event;
  return db.insert('events', { id, type, companyId, endpointId, record: JSON.stringify(event) });
}

/**
 * Adds events to the feed, in their order.
 * @returns The number of the last event before them.
 */
export function addToFeed(db: Database, events: Event[]): number {
  const last =
    db.get<{ seq: number | null }>("SELECT seq FROM sqlite_sequence WHERE name = 'events'")?.seq ?? 0;
  db.run(
    `INSERT INTO events (id, type, companyId, endpointId, record)
     SELECT value ->> 'id', value ->> 'type', value ->> 'companyId', NULL, value
     FROM json_each(:events) ORDER BY key`,
    { events: JSON.stringify(events) },
  );
  return last;
}

/** Which events are listed. */
export interface EventSearch {
  companies: 'all' | string[];
  types: EventType[];
  companyId?: string;
  /** Number of the last event that was seen. */
  after: number;
  limit: number;
}

/** Events of the feed, oldest first. */
export function listEvents(db: Database, search: EventSearch): StoredEvent[] {
  const rows = db.all<{ seq: number; record: string }>(
    `SELECT seq, record FROM events
     WHERE seq > :after AND endpointId IS NULL
       AND type IN (SELECT value FROM json_each(:types))
       ${search.companyId === undefined ? '' : 'AND companyId = :companyId'}
       ${search.companies === 'all' ? '' : 'AND companyId IN (SELECT value FROM json_each(:companies))'}
     ORDER BY seq LIMIT :limit`,
    {
      after: search.after,
      types: JSON.stringify(search.types),
      limit: search.limit,
      ...(search.companyId !== undefined && { companyId: search.companyId }),
      ...(search.companies !== 'all' && { companies: JSON.stringify(search.companies) }),
    },
  );
  return rows.map((row) => ({ seq: row.seq, event: JSON.parse(row.record) }));
}

/** The newest events of the feed, newest first. */
export function newestEvents(db: Database, limit: number): Event[] {
  const sql = 'SELECT record FROM events WHERE endpointId IS NULL ORDER BY seq DESC LIMIT :limit';
  return db.records<Event>(sql, { limit });
}
