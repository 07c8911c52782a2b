import type { Event } from '../../../sandbox/records';
import type { TestSandbox } from './sandbox';

/** A page of a list. */
export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** Reads a list to its end, page by page. */
export async function readAll<T>(
  sandbox: TestSandbox,
  path: string,
  query: Record<string, string | number> = {},
  key?: string,
): Promise<T[]> {
  const entries: T[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await sandbox.call<Page<T>>({ path, query: { limit: 200, ...query, cursor }, key });
    entries.push(...body.data);
    cursor = body.nextCursor ?? undefined;
  } while (cursor);
  return entries;
}

/** The first entry of a list, which must have one. */
export async function first<T>(sandbox: TestSandbox, path: string): Promise<T> {
  const { body } = await sandbox.call<Page<T>>({ path, query: { limit: 1 } });
  const [entry] = body.data;
  if (entry === undefined) throw new Error(`${path} is empty`);
  return entry;
}

/** Reads the event feed until there is nothing new. @returns The events, and the cursor after them. */
export async function readFeed(
  sandbox: TestSandbox,
  query: { type?: string; companyId?: string } = {},
  key?: string,
): Promise<{ events: Event[]; after: string | undefined }> {
  const events: Event[] = [];
  let after: string | undefined;
  for (;;) {
    const call = { path: '/events', query: { limit: 200, ...query, after }, key };
    const { data, nextCursor } = (await sandbox.call<Page<Event>>(call)).body;
    if (data.length === 0) return { events, after };
    events.push(...data);
    after = nextCursor ?? undefined;
  }
}

/** The events of a company, or of all, that come after now; read when `since` is called. */
export async function watchFeed(
  sandbox: TestSandbox,
  companyId?: string,
): Promise<{ since(): Promise<Event[]> }> {
  const { after } = await readFeed(sandbox, { companyId });
  const call = { path: '/events', query: { limit: 200, companyId, after } };
  return { since: async () => (await sandbox.call<Page<Event>>(call)).body.data };
}
