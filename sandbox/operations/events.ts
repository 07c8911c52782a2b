import { checkFilter } from '../auth';
import { ok, type Operation } from '../operation';
import type { EventType } from '../records';
import { visibleTypes } from '../scopes';
import { listEvents } from '../store/events';
import { pageLimit } from './paging';

interface Filters {
  after?: string;
  type?: EventType;
  companyId?: string;
}

/** The feed's cursor points past the newest event returned, and stays when there is nothing new. */
export const list: Operation = (call, agency) => {
  const { after, type, companyId } = call.query as Filters;
  const { accessId, companies, scopes } = call.principal;
  checkFilter(agency, call.principal, companyId);
  const cursor = { operation: 'events.list', accessId, filters: { type, companyId } };
  const [last = 0] = (agency.cursors.read(cursor, after) ?? []).map(Number);
  const types = visibleTypes(scopes).filter((visible) => type === undefined || visible === type);
  const found = listEvents(agency.db, { companies, types, companyId, after: last, limit: pageLimit(call) });
  const newest = found.at(-1);
  return ok({
    data: found.map(({ event }) => event),
    nextCursor: newest ? agency.cursors.write(cursor, [newest.seq]) : (after ?? null),
  });
};
