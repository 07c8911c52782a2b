import { AgencyError } from './errors';
import type { AgencyAnswer, AgencyCall } from './client';

/** The largest page that the API gives (spec: Limits). */
export const LARGEST_PAGE = 200;

/** A page of a list (spec: Rules that hold everywhere). */
export interface Page<T> {
  data: T[];
  nextCursor?: string | null;
}

/** Anything that sends requests. */
export interface Reader {
  request<T extends object>(call: AgencyCall): Promise<AgencyAnswer<T>>;
}

/**
 * Reads a list from its first page on, following `nextCursor` until there is none, and asking for no more rows
 * than are needed.
 *
 * @param make turns a row into what is kept of it, page by page: of a long list, thousands of whole rows would
 * otherwise be kept until its end
 * @param limit how many rows at most; `undefined` reads them all
 * @throws AgencyError also when a cursor comes twice, which would never end
 */
export async function readList<T, Made>(
  client: Reader,
  call: Pick<AgencyCall, 'path' | 'query'>,
  make: (row: T) => Made,
  limit = Number.POSITIVE_INFINITY,
): Promise<Made[]> {
  const rows: Made[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const pageSize = Math.min(LARGEST_PAGE, limit - rows.length);
    const query = { ...call.query, limit: pageSize, cursor };
    const { body } = await client.request<Page<T>>({ method: 'GET', path: call.path, query });
    for (const row of pageRows(body)) rows.push(make(row));
    cursor = body.nextCursor ?? '';
    if (cursor === '' || rows.length >= limit) return rows.slice(0, limit);
    if (seen.has(cursor)) throw endlessList();
    seen.add(cursor);
  }
}

/**
 * The rows of a page.
 *
 * @throws AgencyError when the answer is not a list
 */
export function pageRows<T>({ data }: Page<T>): T[] {
  if (!Array.isArray(data)) {
    throw new AgencyError(
      'The agency answered a list without its rows.',
      'Check the Agency Address of the credential, and that no proxy changes what the agency answers.',
    );
  }
  return data;
}

function endlessList(): AgencyError {
  return new AgencyError(
    'The agency gave the same cursor twice, so the list would never end.',
    'Run it again, or set a Limit. If it stays, tell the support of the agency.',
  );
}
