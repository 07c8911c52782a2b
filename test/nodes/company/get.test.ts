import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { jsonOf, runAction } from '../../support/action/action';
import { companyById, listedCompanies } from '../../support/action/company';
import { useSandbox } from '../../support/sandbox/sandbox';
import { trail } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 30 });

type Company = Schemas['Company'];

const list = (fields: INodeParameters): INodeParameters => ({
  resource: 'company',
  operation: 'getAll',
  output: 'all',
  ...fields,
});

const get = (companyId: INodeParameters): INodeParameters => ({
  resource: 'company',
  operation: 'get',
  companyId,
});

/** All companies, by the API itself. */
async function all(): Promise<Company[]> {
  const companies: Company[] = [];
  for (let cursor: string | undefined | null = ''; cursor !== null;) {
    const query: Record<string, string | number | undefined> = { limit: 200, cursor: cursor || undefined };
    const { body } = await sandbox().call<{ data: Company[]; nextCursor: string | null }>({
      path: '/companies',
      query,
    });
    companies.push(...body.data);
    cursor = body.nextCursor;
  }
  return companies;
}

/** The queries of the node's requests, after those of the test itself. */
async function queries(after: number) {
  return (await sandbox().requests()).slice(after).map(({ query }) => query);
}

const count = async () => (await sandbox().requests()).length;

test('Get outputs the company as it is, or its most used fields', async () => {
  const [company] = await listedCompanies(sandbox());
  const before = await count();
  const chosen = { __rl: true, mode: 'list', value: company.id, cachedResultName: 'A' };
  expect(jsonOf(await runAction(sandbox(), { ...get(chosen), output: 'all' }))).toEqual([company]);
  const [short] = jsonOf(await runAction(sandbox(), get(companyById(`=  {{ "${company.id}" }} `))));
  expect(Object.keys(Object(short))).toEqual([
    'name',
    'shortName',
    'registrationCode',
    'vatCode',
    'legalForm',
    'directorName',
    'vatPeriod',
    'serviceStoppedFrom',
    'updatedAt',
    'id',
  ]);
  expect(company).toMatchObject(Object(short));
  expect((await sandbox().requests()).slice(before)).toEqual([
    expect.objectContaining({ method: 'GET', path: `/api/v1/companies/${company.id}` }),
    expect.objectContaining({ method: 'GET', path: `/api/v1/companies/${company.id}` }),
  ]);
});

test('Get of several items gives each its own company', async () => {
  const companies = (await listedCompanies(sandbox())).slice(0, 7);
  const input = companies.map(({ id }) => ({ json: { id } }));
  const parameters = { ...get(companyById('={{ $json.id }}')), output: 'all' };
  const result = await runAction(sandbox(), parameters, { input });
  expect(jsonOf(result)).toEqual(companies);
  expect(result.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
    companies.map((_, item) => ({ item })),
  );
});

test.each(['../documents', 'a/b?c=d#e', 'ä🧾', '%2e%2e'])(
  'an ID can never leave its place in the path: %s',
  async (value) => {
    const { error } = await runAction(sandbox(), get(companyById(value)));
    expect(error?.message).toContain(`Company "${value}" not found, or the key`);
    expect(await trail(sandbox())).toEqual([`GET /companies/${encodeURIComponent(value)}`]);
  },
);

test.each([
  ['..', 'ID must not be "..". [item 0]'],
  ['={{ "x".repeat(201) }}', 'Company has 201 characters, but only 200 are allowed. [item 0]'],
  ['={{ null }}', 'Company is empty. [item 0]'],
])('Get refuses %s before anything is sent', async (value, message) => {
  const { error } = await runAction(sandbox(), get(companyById(value)));
  expect(error?.message).toBe(message);
  expect(await trail(sandbox())).toEqual([]);
});

test('Get Many returns all companies once, page after page', async () => {
  const companies = await all();
  const before = await count();
  expect(jsonOf(await runAction(sandbox(), list({ returnAll: true })))).toEqual(companies);
  expect(await queries(before)).toEqual([{ limit: '200' }, { limit: '200', cursor: expect.any(String) }]);
});

test.each([
  [1, ['1']],
  [200, ['200']],
  [250, ['200', '50']],
])('Get Many with limit %i asks for no more', async (limit, asked) => {
  const ids = (await all()).map(({ id }) => id);
  const before = await count();
  const result = jsonOf(await runAction(sandbox(), list({ limit, output: 'simplified' })));
  expect(result.map((company) => Object(company).id)).toEqual(ids.slice(0, limit));
  expect((await queries(before)).map((query) => query.limit)).toEqual(asked);
});

test('Get Many searches, with the same text on every page', async () => {
  const companies = await all();
  const before = await count();
  const filters = { query: ' A ' };
  const found = jsonOf(await runAction(sandbox(), list({ limit: 201, filters })));
  const names = companies.filter(({ name, shortName }) => /a/i.test(`${name}\n${shortName ?? ''}`));
  expect(names.length).toBeGreaterThan(200);
  expect(found).toEqual(names.slice(0, 201));
  const asked = await queries(before);
  expect(asked.map(({ query }) => query)).toEqual(['A', 'A']);
});

test('Get Many refuses bounds by name and before any request', async () => {
  const before = await count();
  for (const [fields, message] of [
    [{ limit: 0 }, /^Limit must be a whole number of at least 1, not/],
    [{ limit: '={{ 1.5 }}' }, /^Limit must be a whole number of at least 1, not/],
    [{ filters: { query: 'x'.repeat(201) } }, /^Search Text has 201 characters, but only 200 are allowed\./],
  ] as const) {
    const { error } = await runAction(sandbox(), list(fields));
    expect(error?.message).toMatch(message);
  }
  expect(await count()).toBe(before);
});
