import { iso, isoOrNull } from '../time/clock';
import type { EventType, WebhookDelivery } from '../records';
import type { Database } from './database';

/** One attempt that is due: what is sent where. */
export type DueDelivery = {
  id: number;
  endpointId: string;
  url: string;
  /** With its prefix `whsec_`. */
  secret: string;
  attempts: number;
  eventId: string;
  /** The event as JSON. */
  event: string;
};

type DeliveryRow = Omit<WebhookDelivery, 'nextAttemptAt' | 'createdAt' | 'deliveredAt'> & {
  nextAttemptAt: number | null;
  createdAt: number;
  deliveredAt: number | null;
};

const JOINED = `FROM deliveries d JOIN events e ON e.seq = d.eventSeq JOIN endpoints p ON p.id = d.endpointId`;
const DUE = `SELECT d.id, d.endpointId, d.attempts, p.url, p.secret, e.id AS eventId, e.record AS event ${JOINED}`;
const WAITING = `d.status = 'pending' AND d.sending = 0 AND d.nextAttemptAt IS NOT NULL AND p.enabled = 1`;

/** Adds a delivery that is not scheduled, but taken by `takeOne`. @returns Its id. */
export function addDelivery(db: Database, endpointId: string, eventSeq: number, now: number): number {
  return db.insert('deliveries', { endpointId, eventSeq, status: 'pending', attempts: 0, createdAt: now });
}

/** Adds a delivery, due now, of each event of the feed after a number that the endpoint is to get. */
export function addDeliveries(
  db: Database,
  endpointId: string,
  { after, types, companies }: { after: number; types: EventType[]; companies: 'all' | string[] },
  now: number,
): void {
  db.run(
    `INSERT INTO deliveries (endpointId, eventSeq, status, attempts, nextAttemptAt, createdAt)
     SELECT :endpointId, seq, 'pending', 0, :now, :now FROM events
     WHERE seq > :after AND endpointId IS NULL AND type IN (SELECT value FROM json_each(:types))
       AND (:companies IS NULL OR companyId IN (SELECT value FROM json_each(:companies)))
     ORDER BY seq`,
    {
      endpointId,
      now,
      after,
      types: JSON.stringify(types),
      companies: companies === 'all' ? null : JSON.stringify(companies),
    },
  );
}

/** When the next attempt is due. Those of paused endpoints wait. */
export function nextAttempt(db: Database): number | undefined {
  const row = db.get<{ due: number }>(
    `SELECT d.nextAttemptAt AS due FROM deliveries d JOIN endpoints p ON p.id = d.endpointId
     WHERE ${WAITING} ORDER BY d.nextAttemptAt LIMIT 1`,
  );
  return row?.due;
}

/** Takes up to `limit` attempts that are due; they count as being sent until their outcome is saved. */
export function takeDue(db: Database, now: number, limit: number): DueDelivery[] {
  return db.transaction(() => {
    const rows = db.all<DueDelivery>(
      `${DUE} WHERE ${WAITING} AND d.nextAttemptAt <= :now ORDER BY d.nextAttemptAt, d.id LIMIT :limit`,
      { now, limit },
    );
    for (const { id } of rows) db.run('UPDATE deliveries SET sending = 1 WHERE id = :id', { id });
    return rows;
  });
}

/** Takes one delivery now, whether or not its endpoint is paused. */
export function takeOne(db: Database, id: number): DueDelivery | undefined {
  db.run('UPDATE deliveries SET sending = 1 WHERE id = :id', { id });
  return db.get<DueDelivery>(`${DUE} WHERE d.id = :id`, { id });
}

/** How an attempt ended. Moments are milliseconds. */
export interface Outcome {
  status: WebhookDelivery['status'];
  statusCode: number | null;
  error: string | null;
  nextAttemptAt: number | null;
  deliveredAt: number | null;
}

/** Notes how an attempt ended, unless it is of before a reset, after which its number may be another one's. */
export function saveOutcome(
  db: Database,
  { id, endpointId }: Pick<DueDelivery, 'id' | 'endpointId'>,
  outcome: Outcome,
): void {
  db.run(
    `UPDATE deliveries SET status = :status, sending = 0, attempts = attempts + 1, lastStatusCode = :statusCode,
     lastError = :error, nextAttemptAt = :nextAttemptAt, deliveredAt = :deliveredAt
     WHERE id = :id AND endpointId = :endpointId`,
    { id, endpointId, ...outcome },
  );
}

/** After a start: what an earlier run was sending is due again; a test call is not, since nobody waits for it. */
export function forgetSending(db: Database): void {
  db.run(
    `UPDATE deliveries SET status = 'failed', lastError = 'The agency stopped before the address responded'
     WHERE sending = 1 AND nextAttemptAt IS NULL`,
  );
  db.run('UPDATE deliveries SET sending = 0 WHERE sending = 1');
}

const publicDelivery = <T extends DeliveryRow>(row: T) => ({
  ...row,
  nextAttemptAt: isoOrNull(row.nextAttemptAt),
  createdAt: iso(row.createdAt),
  deliveredAt: isoOrNull(row.deliveredAt),
});

const COLUMNS = `SELECT d.id, e.id AS eventId, e.type AS eventType, d.status, d.attempts, d.nextAttemptAt,
  d.lastStatusCode, d.lastError, d.createdAt, d.deliveredAt`;

/** Deliveries of an endpoint, newest first, before the given id. */
export function listDeliveries(
  db: Database,
  endpointId: string,
  before: number | undefined,
  limit: number,
): WebhookDelivery[] {
  const rows = db.all<DeliveryRow>(
    `${COLUMNS} ${JOINED} WHERE d.endpointId = :endpointId AND (:before IS NULL OR d.id < :before)
     ORDER BY d.id DESC LIMIT :limit`,
    { endpointId, before: before ?? null, limit },
  );
  return rows.map(publicDelivery);
}

/** The newest deliveries of all endpoints, newest first, with the address of each. */
export function newestDeliveries(db: Database, limit: number): (WebhookDelivery & { endpointUrl: string })[] {
  return db
    .all<DeliveryRow & { endpointUrl: string }>(
      `${COLUMNS}, p.url AS endpointUrl ${JOINED} ORDER BY d.id DESC LIMIT :limit`,
      { limit },
    )
    .map(publicDelivery);
}
