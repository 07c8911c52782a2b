import { AgencyError } from './errors/agency-error';
import {
  askPage,
  LARGEST_PAGE,
  MOST_EMPTY_PAGES,
  nextCursor,
  type Page,
  pageRows,
  unseen,
} from './pagination';
import type { Schemas } from './routes';

/** Some events of the feed, and the cursor that points past the last of them. */
export interface FeedPage {
  events: Array<Schemas['Event']>;
  /** `undefined` only while the feed has never had an event. */
  cursor?: string;
  /** Whether reading ends here without the feed's end, since page after page had no events. */
  isCutOff?: boolean;
}

/** Asks for one page of the feed, with the filters of the one who reads. */
export type FeedRequest = (page: {
  limit: number;
  after?: string;
}) => Promise<{ body: Page<Schemas['Event']> }>;

/**
 * Reads the event feed, oldest first, page by page. The feed never ends with `null`: its end is a page without events
 * that leaves the cursor where it is, since that "stays unchanged" only when nothing new exists (spec: events.list).
 * Pages without events are given too, since the last one has the cursor to go on from.
 *
 * @param after the cursor after which to begin; `undefined` begins with the oldest event
 * @param limit how many events at most; `undefined` reads to the end
 * @throws AgencyError also when the cursor stays the same although events came, or goes back, which would never end
 */
export async function* feedPages(
  ask: FeedRequest,
  after: string | undefined,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<FeedPage, void, undefined> {
  const seen = new Set([after]);
  const isNew = unseen();
  let emptyPages = 0;
  for (let cursor = after, left = limit; left > 0;) {
    const page = { limit: Math.min(LARGEST_PAGE, left), after: cursor };
    const { body } = await askPage(ask, page, Math.min(LARGEST_PAGE, limit));
    const rows = pageRows(body);
    const events = rows.filter(isNew);
    const next = nextCursor(body);
    const isEnd = next === undefined || next === cursor;
    if (isEnd ? rows.length > 0 : seen.has(next)) throw stuckFeed();
    seen.add(next);
    cursor = next ?? cursor;
    emptyPages = events.length === 0 ? emptyPages + 1 : 0;
    left -= events.length;
    // Should the cursor never stand still, the next reading goes on from it.
    const isCutOff = !isEnd && emptyPages > MOST_EMPTY_PAGES;
    yield { events, cursor, isCutOff };
    if (isEnd || isCutOff) return;
  }
}

function stuckFeed(): AgencyError {
  return new AgencyError(
    'The agency returned events without a new position, so the feed would never end.',
    "Run it again. If that does not help, contact the agency's support.",
  );
}
