import type { Agency } from '../agency/agency';
import type { Position } from './cursors';
import type { Call } from './operation';

/** A list being read page by page. */
interface Paging {
  /** Where this page begins; undefined: at the start. */
  position: Position | undefined;
  /** The page size that was asked for. */
  limit: number;
  /**
   * The answer, of more entries than the limit: what is more says that there is a next page.
   * @param positionOf Where the page after this entry begins.
   */
  reply<T>(found: T[], positionOf: (last: T) => Position): { data: T[]; nextCursor: string | null };
}

/** @throws ApiError `INVALID_CURSOR` */
export function page(agency: Agency, call: Call, filters: Record<string, unknown>): Paging {
  const scope = { operation: call.operationId, accessId: call.principal.accessId, filters };
  const limit = Number(call.query.limit);
  return {
    position: agency.cursors.read(scope, call.query.cursor as string | undefined),
    limit,
    reply(found, positionOf) {
      const data = found.slice(0, limit);
      const last = data.at(-1);
      const more = found.length > limit && last !== undefined;
      return { data, nextCursor: more ? agency.cursors.write(scope, positionOf(last)) : null };
    },
  };
}
