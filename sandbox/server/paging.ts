import type { Agency } from '../agency/agency';
import type { Position } from './cursors';
import type { Call } from './operation';

/** A list being read page by page. */
interface Paging {
  /** Where this page begins; undefined: at the start. */
  position: Position | undefined;
  /**
   * The answer, of one entry more than the limit: the one more says that there is a next page.
   * @param positionOf Where the page after this entry begins.
   */
  reply<T>(
    found: T[],
    limit: number,
    positionOf: (last: T) => Position,
  ): { data: T[]; nextCursor: string | null };
}

/** @throws ApiError `INVALID_CURSOR` */
export function page(
  agency: Agency,
  call: Call,
  operation: string,
  filters: Record<string, unknown>,
): Paging {
  const scope = { operation, accessId: call.principal.accessId, filters };
  return {
    position: agency.cursors.read(scope, call.query.cursor as string | undefined),
    reply(found, limit, positionOf) {
      const data = found.slice(0, limit);
      const last = data.at(-1);
      const more = found.length > limit && last !== undefined;
      return { data, nextCursor: more ? agency.cursors.write(scope, positionOf(last)) : null };
    },
  };
}

/** The page size that was asked for. */
export const pageLimit = (call: Call): number => Number(call.query.limit);
