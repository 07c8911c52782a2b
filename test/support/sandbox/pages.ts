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
export async function first<T>(
  sandbox: TestSandbox,
  path: string,
  query: Record<string, string | number> = {},
): Promise<T> {
  const { body } = await sandbox.call<Page<T>>({ path, query: { ...query, limit: 1 } });
  const [entry] = body.data;
  if (entry === undefined) throw new Error(`${path} is empty`);
  return entry;
}

/** The events of a company, or of all, that come after now; read when `since` is called. */
export async function watchFeed<T>(
  sandbox: TestSandbox,
  companyId?: string,
): Promise<{ since(): Promise<T[]> }> {
  let after: string | undefined;
  for (let more = true; more;) {
    const { body } = await sandbox.call<Page<T>>({
      path: '/events',
      query: { limit: 200, companyId, after },
    });
    more = body.data.length > 0;
    after = body.nextCursor ?? undefined;
  }
  return {
    async since() {
      const { body } = await sandbox.call<Page<T>>({
        path: '/events',
        query: { limit: 200, companyId, after },
      });
      return body.data;
    },
  };
}
