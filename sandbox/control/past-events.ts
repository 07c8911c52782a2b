import type { Agency } from '../agency/agency';
import { SECOND } from '../time/clock';
import { notFound } from '../server/errors';
import { emitAll, type NewEvent } from '../agency/events';
import type { EventType } from '../records';
import { RECORD_EVENTS, subjectsOf, type Subject } from './event-subjects';

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

interface Kind {
  type: EventType;
  subjects: Subject[];
}

/**
 * Events of the recent past, about records that exist, oldest first. Part of the caller's transaction.
 * @throws ApiError `NOT_FOUND` when there is no record of the wanted kind.
 */
export function makePastEvents(agency: Agency, { count, type, companyId, over = 0 }: PastEvents): void {
  const kinds = (type ? [type] : RECORD_EVENTS)
    .map((kind) => ({ type: kind, subjects: subjectsOf(agency.db, kind, companyId) }))
    .filter(({ subjects }) => subjects.length > 0);
  if (kinds.length === 0) throw notFound('record');
  const now = agency.clock.now();
  const step = (over * SECOND) / count;
  const events = Array.from({ length: count }, (_, index) => ({
    ...eventOf(kinds, index),
    at: Math.round(now - (count - 1 - index) * step),
  }));
  emitAll(agency, events);
}

/** The event at a place: kinds in turn, and the records of each kind in turn. */
function eventOf(kinds: Kind[], index: number): NewEvent {
  const kind = kinds[index % kinds.length];
  const record = kind?.subjects[Math.floor(index / kinds.length) % kind.subjects.length];
  if (!kind || !record) throw new Error('There is no record for an event');
  const { companyId, ...subject } = record;
  return { type: kind.type, companyId, subject };
}
