import type { INodeExecutionData } from 'n8n-workflow';
import type { AgencyClient } from '../shared/api/client';
import { type FeedRequest, feedPages } from '../shared/api/event-feed';
import type { AgencyEvent } from '../shared/events/event-types';
import type { EventFilter } from '../shared/events/filter';
import { type FeedPosition, take } from './feed-position';

/** A tenth of the requests that the agency takes from a key in a minute (spec: Limits). */
const MOST_PAGES = 60;
/** The next poll may come after a minute, and n8n may give one 45 seconds. */
const LONGEST_TURN_MS = 20_000;

/** What one poll does. */
export interface TurnOptions {
  filter: EventFilter;
  /** How many events one execution gets at most. */
  most: number;
  /** Makes the item of an event; may throw when the agency cannot be read at the moment. */
  itemOf: (event: AgencyEvent) => Promise<INodeExecutionData>;
}

/** The items to hand to n8n, and the position behind them. */
export interface Turn {
  items: INodeExecutionData[];
  position: FeedPosition;
}

/**
 * Reads on in the feed, up to a bounded number of events, pages and seconds; the next turn goes on from there. What
 * goes wrong after something was read ends the turn there: it goes wrong again, or not, in the next one.
 *
 * @throws AgencyError when nothing could be read
 */
export async function readTurn(
  client: AgencyClient,
  start: FeedPosition,
  options: TurnOptions,
): Promise<Turn> {
  const turn: Turn = { items: [], position: start };
  const [outcome] = await Promise.allSettled([readInto(turn, client, options)]);
  if (outcome.status === 'rejected' && turn.position === start) throw outcome.reason;
  return turn;
}

/** Adds to a turn, event by event. */
async function readInto(
  turn: Turn,
  client: AgencyClient,
  { filter, most, itemOf }: TurnOptions,
): Promise<void> {
  const until = Date.now() + LONGEST_TURN_MS;
  const ask: FeedRequest = async (query) => await client.request('GET /events', { query });
  let pages = 0;
  for await (const page of feedPages(ask, turn.position.cursor)) {
    const before = turn.position;
    const { events, position } = take(before, page, filter, most - turn.items.length);
    let made = 0;
    try {
      for (const event of events) {
        if (turn.items.length > 0 && Date.now() >= until) return;
        turn.items.push(await itemOf(event));
        made += 1;
      }
    } finally {
      if (made === events.length) turn.position = position;
      else if (made > 0) turn.position = take(before, page, filter, made).position;
    }
    pages += 1;
    if (turn.items.length >= most || pages >= MOST_PAGES || Date.now() >= until) return;
  }
}
