import type { Company } from '../../sandbox/records';
import { useSandbox } from '../support/sandbox';

const sandbox = useSandbox();

type Page = { data: Company[]; nextCursor: string | null };

async function all(query: Record<string, string | number> = {}): Promise<Company[]> {
  const companies: Company[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await sandbox().call<Page>({
      path: '/companies',
      query: { limit: 100, ...query, cursor: cursor ?? undefined },
    });
    companies.push(...page.body.data);
    cursor = page.body.nextCursor;
  } while (cursor);
  return companies;
}

test('lists every company once, by the code points of the lower-cased name', async () => {
  const companies = await all();
  expect(companies.length).toBeGreaterThanOrEqual(260);
  expect(new Set(companies.map(({ id }) => id)).size).toBe(companies.length);
  const names = companies.map(({ name }) => Buffer.from(name.toLowerCase()));
  expect(names).toEqual([...names].sort(Buffer.compare));
});
