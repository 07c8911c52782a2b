import { isRecord } from '../values/json';
import { AgencyError, isInvalidCursor } from './errors/agency-error';

/** The largest page that the API gives (spec: Limits). */
export const LARGEST_PAGE = 200;
/** Spec: Limits, cursor length. */
export const LONGEST_CURSOR = 500;
/** So many pages without a row may follow each other, e.g. of rows that the key may not see. */
export const MOST_EMPTY_PAGES = 50;

/** A page of a list (spec: Rules that hold everywhere). */
export interface Page<T> {
  data: T[];
  nextCursor?: string | null;
}

/** Which rows of a list a page begins after, and how many it has at most. */
export interface PageQuery {
  limit: number;
  cursor?: string;
}

/** Asks for one page of a list, with the filters of the list. */
export type PageRequest<T> = (page: PageQuery) => Promise<{ body: Page<T> }>;

/**
 * Reads a list from its first page on, following `nextCursor` until there is none. A page asks for no more rows than are
 * still needed.
 *
 * @param make turns a row into what is kept of it, page by page: of a long list, thousands of whole rows would
 * otherwise be kept until its end
 * @param limit how many rows at most; `undefined` reads them all
 * @throws AgencyError also when a cursor comes twice, which would never end
 */
export async function readList<T, Made>(
  ask: PageRequest<T>,
  make: (row: T) => Made,
  limit = Number.POSITIVE_INFINITY,
): Promise<Made[]> {
  const rows: Made[] = [];
  for await (const page of listPages(ask, () => limit - rows.length)) {
    for (const row of page.slice(0, limit - rows.length)) rows.push(make(row));
    if (rows.length >= limit) break;
  }
  return rows;
}

/**
 * Reads what the rows of a list hold, page by page, until there is enough of it.
 *
 * @param partsOf what is kept of a row: nothing, or one thing or more
 * @param enough how many parts are enough; of the last page, more may come
 * @throws AgencyError like `readList`
 */
export async function readParts<T, Part>(
  ask: PageRequest<T>,
  partsOf: (row: T) => Part[],
  enough: number,
): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const page of listPages(ask)) {
    for (const row of page) for (const part of partsOf(row)) parts.push(part);
    if (parts.length >= enough) break;
  }
  return parts;
}

/**
 * The pages of a list. A row that came before is left out: a list that grows while it is read may move rows to the next
 * page, and what is done for each row would be done twice.
 *
 * @param needed how many rows are still needed
 * @throws AgencyError like `readList`
 */
export async function* listPages<T>(
  ask: PageRequest<T>,
  needed = () => Number.POSITIVE_INFINITY,
): AsyncGenerator<T[], void, undefined> {
  const seen = new Set<string>();
  const isNew = unseen();
  const firstLimit = Math.min(LARGEST_PAGE, needed());
  let emptyPages = 0;
  for (let cursor: string | undefined; ;) {
    const { body } = await askPage(ask, { limit: Math.min(LARGEST_PAGE, needed()), cursor }, firstLimit);
    const page = pageRows(body).filter(isNew);
    yield page;
    cursor = nextCursor(body);
    if (cursor === undefined) return;
    emptyPages = page.length === 0 ? emptyPages + 1 : 0;
    if (seen.has(cursor) || emptyPages > MOST_EMPTY_PAGES) throw endlessList();
    seen.add(cursor);
  }
}

/**
 * Asks for a page. A cursor may hold for the `limit` alone that it came with, since the specification does not say
 * whether that is one of the filters: a page that is refused so is asked for with the first limit.
 */
export async function askPage<Query extends { limit: number }, Answer>(
  ask: (page: Query) => Promise<Answer>,
  page: Query,
  firstLimit: number,
): Promise<Answer> {
  return await ask(page).catch(async (thrown: unknown) => {
    if (!isInvalidCursor(thrown) || page.limit === firstLimit) throw thrown;
    return await ask({ ...page, limit: firstLimit });
  });
}

/** Tells which rows have not come before, by their ID. */
export function unseen(): (row: unknown) => boolean {
  const ids = new Set<unknown>();
  return (row) => {
    const id = isRecord(row) ? row.id : undefined;
    return id === undefined || ids.size < ids.add(id).size;
  };
}

/**
 * The rows of a page.
 *
 * @throws AgencyError when the answer is not a list
 */
export function pageRows<T>({ data }: Page<T>): T[] {
  if (!Array.isArray(data)) {
    throw new AgencyError(
      'The agency returned a list without data.',
      'Check the Agency Address of the credential, and that no proxy changes what the agency returns.',
    );
  }
  return data;
}

/**
 * The cursor of the next page; `undefined` on the last one.
 *
 * @throws AgencyError for one that the API would not take (spec: Limits, cursor length)
 */
export function nextCursor({ nextCursor: cursor }: Page<unknown>): string | undefined {
  if (cursor === undefined || cursor === null || cursor === '') return undefined;
  const given: unknown = cursor;
  if (typeof given === 'string' && [...given].length <= LONGEST_CURSOR) return given;
  throw new AgencyError(
    'The agency returned a position in the list that cannot be used.',
    "Run it again. If that does not help, contact the agency's support.",
    {
      details: {
        nextCursor: typeof given === 'string' ? `has ${given.length} characters` : 'is not text',
      },
    },
  );
}

function endlessList(): AgencyError {
  return new AgencyError(
    'The agency returned the same position twice, or page after page without new data, so the list would never end.',
    "Run it again, or set a Limit. If that does not help, contact the agency's support.",
  );
}
