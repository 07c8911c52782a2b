import type { FeedPage } from '../shared/api/event-feed';
import type { AgencyEvent } from '../shared/events/event-types';
import { type EventFilter, matches } from '../shared/events/filter';
import { instantOf, isTime } from '../shared/values/instant';
import { isRecord } from '../shared/values/json';

/** Where a node reads on in the event feed: what its static data keeps. It is the same for every filter. */
export interface FeedPosition {
  workflowId: string;
  /** The agency's address, in its normal form. */
  agency: string;
  /** The Start Date that this began with, as entered; another one begins anew. */
  startDate: string;
  /** When the newest event that was passed occurred; before the first one, when the node begins. */
  since: string;
  /** Whether older events than `since` still have to be skipped, since the cursor says nothing yet. */
  isSearching: boolean;
  /** The cursor after which to read on; `undefined` begins with the oldest event. */
  cursor?: string;
  /** Events after the cursor, or at `since`, that were passed. */
  passed: string[];
  /** After how many turns of reading this is. */
  turns: number;
}

/** Events to hand to n8n, and the position after them. */
export interface Taken {
  events: AgencyEvent[];
  position: FeedPosition;
}

/** Reads the node's static data, which may be imported or damaged: then it counts as none. */
export function readPosition(value: unknown): FeedPosition | undefined {
  return isPosition(value) ? value : undefined;
}

/**
 * Takes the events of a page that start the workflow, up to a number of them. Depends on nothing but what it is given.
 *
 * @param room how many events at most; the page is read again for what is behind them
 */
export function take(position: FeedPosition, page: FeedPage, filter: EventFilter, room: number): Taken {
  const taken: AgencyEvent[] = [];
  const read: string[] = [];
  let { since, isSearching } = position;
  for (const event of page.events) {
    if (taken.length >= room) {
      const passed = [...new Set([...position.passed, ...read])];
      return { events: taken, position: { ...position, since, isSearching, passed } };
    }
    read.push(event.id);
    if (isSearching && instantOf(event.createdAt) < instantOf(since)) continue;
    isSearching = false;
    since = event.createdAt;
    if (!position.passed.includes(event.id) && matches(event, filter)) taken.push(event);
  }
  // A page without events is the end only when it leaves the cursor where it is (spec: events.list).
  const isEnd = page.events.length === 0 && page.cursor === position.cursor;
  return {
    events: taken,
    position: {
      ...position,
      since,
      cursor: page.cursor,
      isSearching: isSearching && !isEnd,
      passed: isSearching || page.events.length === 0 ? position.passed : newestOf(position, page),
    },
  };
}

/**
 * The events that occurred last, which nothing but their ID tells from another one of the same time. They may be more
 * than a page.
 */
function newestOf({ since, passed }: FeedPosition, { events }: FeedPage): string[] {
  const newest = events.at(-1)?.createdAt ?? '';
  const ids = events.filter(({ createdAt }) => isSameTime(createdAt, newest)).map(({ id }) => id);
  return isSameTime(since, newest) ? [...new Set([...passed, ...ids])] : ids;
}

/** Finer fractions than milliseconds are the same time, as they are when older events are skipped. */
function isSameTime(one: string, other: string): boolean {
  return one === other || instantOf(one) === instantOf(other);
}

/** The position to begin with when the agency no longer accepts the cursor: the same events count as passed. */
export function withoutCursor(position: FeedPosition): FeedPosition {
  return { ...position, cursor: undefined, isSearching: true };
}

function isPosition(value: unknown): value is FeedPosition {
  return (
    isRecord(value) &&
    ['workflowId', 'agency', 'startDate'].every((name) => typeof value[name] === 'string') &&
    isTime(value.since) &&
    typeof value.isSearching === 'boolean' &&
    typeof value.turns === 'number' &&
    (value.cursor === undefined || typeof value.cursor === 'string') &&
    Array.isArray(value.passed) &&
    value.passed.every((id) => typeof id === 'string')
  );
}
