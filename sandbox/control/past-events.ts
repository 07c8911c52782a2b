import { EVENT_SCOPE } from '../access/scopes';
import type { Agency } from '../agency/agency';
import { emitAll, type NewEvent, subjectOf } from '../agency/events';
import type { EventType } from '../records';
import { notFound } from '../server/errors';
import { SECOND } from '../time/clock';

/** Where the records are that events can be about, by their kind. */
const RECORDS: Record<string, string> = {
  document: 'SELECT id, companyId FROM documents',
  company: 'SELECT id, id AS companyId FROM companies',
  task: 'SELECT id, companyId FROM tasks',
  obligation: `SELECT CAST(o.value ->> 'id' AS TEXT) AS id, p.companyId
    FROM periods p, json_each(p.record, '$.obligations') o`,
};

/** The types of events that records have. */
export const RECORD_EVENTS = (Object.keys(EVENT_SCOPE) as EventType[]).filter(
  (type) => subjectOf(type, '').type in RECORDS,
);

/** Events that are asked for: how many, and which. */
export interface PastEvents {
  count: number;
  /** Every type in turn when absent. */
  type?: EventType;
  /** Companies in turn when absent. */
  companyId?: string;
  /** Seconds, up to now, over which they are spread. */
  over?: number;
}

/** Events of a type, one for each of up to 1,000 records of one company or of all. */
function eventsOf({ db }: Agency, type: EventType, companyId: string | undefined): NewEvent[] {
  const records = db.all<{ id: string; companyId: string }>(
    `SELECT * FROM (${RECORDS[subjectOf(type, '').type]})
     WHERE companyId IS NOT NULL AND (:companyId IS NULL OR companyId = :companyId) LIMIT 1000`,
    { companyId: companyId ?? null },
  );
  return records.map((record) => ({ ...record, type }));
}

/**
 * Events of the recent past, about records that exist, oldest first: kinds in turn, and the records of each kind in
 * turn. Part of the caller's transaction.
 * @throws ApiError `NOT_FOUND` when there is no record of the wanted kind.
 */
export function makePastEvents(agency: Agency, { count, type, companyId, over = 0 }: PastEvents): void {
  const kinds = (type ? [type] : RECORD_EVENTS)
    .map((kind) => eventsOf(agency, kind, companyId))
    .filter((events) => events.length > 0);
  if (kinds.length === 0) throw notFound('record');
  const now = agency.clock.now();
  const step = (over * SECOND) / count;
  const made = Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? [];
    const event = kind[Math.floor(index / kinds.length) % kind.length];
    return event ? [{ ...event, at: Math.round(now - (count - 1 - index) * step) }] : [];
  });
  emitAll(agency, made.flat());
}
