import type { Schemas } from '../../../nodes/shared/api/routes';
import type { Company } from '../../../sandbox/records';
import { first, readAll, watchFeed, type Page } from '../../support/sandbox/pages';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

type Preview = Schemas['CompanyPreview'];

const companies = (query: Record<string, string | number> = {}) =>
  readAll<Company>(sandbox(), '/companies', query);

const update = <T = Company>(id: string, body: unknown, query = {}) =>
  sandbox().call<T>({ method: 'PATCH', path: `/companies/${id}`, body, query });

describe('the list', () => {
  test('holds every company once, by the code points of the lower-cased name', async () => {
    const all = await companies({ limit: 100 });
    expect(all.length).toBeGreaterThanOrEqual(260);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const names = all.map(({ name }) => Buffer.from(name.toLowerCase()));
    expect(names).toEqual([...names].sort(Buffer.compare));
  });

  test('has pages of 50 unless a limit says otherwise', async () => {
    const { body } = await sandbox().call<Page<Company>>({ path: '/companies' });
    expect(body.data).toHaveLength(50);
    expect(body.nextCursor).not.toBeNull();
  });

  const LIMITS = ['0', '201', '1.5', 'x', '', '0x10', '0b11', '1e2', '1.0', ' 5', '+5', '-5'];

  test.each(LIMITS)('refuses the limit "%s"', async (limit) => {
    const { status, body } = await sandbox().call({ path: '/companies', query: { limit } });
    expect([status, body.error.code, body.error.details?.issues?.[0]?.path]).toEqual([
      400,
      'VALIDATION_ERROR',
      'limit',
    ]);
  });

  test('refuses a parameter that it does not know', async () => {
    const { status, body } = await sandbox().call({ path: '/companies', query: { nmae: 'x' } });
    expect([status, body.error.details?.issues?.[0]?.path]).toEqual([400, 'nmae']);
  });

  test('finds by every name and code, whatever the case, also beyond ASCII', async () => {
    const all = await companies();
    const upper = all.find(({ name }) => /[ÕÄÜŠŽ]/i.test(name));
    if (!upper) throw new Error('No company has a letter beyond ASCII in its name');
    for (const company of [upper, ...all.slice(0, 1)]) {
      for (const text of [company.name, company.shortName, company.registrationCode, company.vatCode]) {
        if (text === null) continue;
        for (const query of [text.toUpperCase(), text.toLowerCase(), text.normalize('NFD')]) {
          expect((await companies({ query })).map(({ id }) => id)).toContain(company.id);
        }
      }
    }
  });

  test.each([['%'], ['_'], ["'"], ['"'], ['\\']])('takes %s in a query literally', async (query) => {
    const all = await companies();
    const texts = ({ name, shortName, registrationCode, vatCode }: Company) =>
      [name, shortName, registrationCode, vatCode].join('\n');
    const expected = all.filter((company) => texts(company).includes(query));
    expect(await companies({ query })).toEqual(expected);
    expect(expected.length).toBeLessThan(all.length);
  });

  test.each([
    ['', 400],
    ['x'.repeat(200), 200],
    ['x'.repeat(201), 400],
  ])('takes a query of 1 to 200 characters', async (query, status) => {
    expect((await sandbox().call({ path: '/companies', query: { query } })).status).toBe(status);
  });
});

describe('a cursor', () => {
  const page = (query: Record<string, string | number>, key?: string) =>
    sandbox().call<Page<Company> & { error: { code: string } }>({ path: '/companies', query, key });

  test('works with another limit', async () => {
    const cursor = (await page({ limit: 3 })).body.nextCursor ?? '';
    const next = await page({ limit: 7, cursor });
    expect(next.body.data).toEqual((await companies()).slice(3, 10));
  });

  test.each<[string, (cursor: string) => Promise<{ status: number; body: { error: { code: string } } }>]>([
    ['with other filters', (cursor) => page({ cursor, query: 'a' })],
    ['by another access', (cursor) => page({ cursor }, sandbox().keys.other)],
    [
      'altered in its last letter',
      (cursor) => page({ cursor: `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}` }),
    ],
    ['altered in its first letter', (cursor) => page({ cursor: `X${cursor.slice(1)}` })],
    ['with something added', (cursor) => page({ cursor: `${cursor}.x` })],
    ['at another list', (cursor) => sandbox().call({ path: '/documents', query: { cursor } })],
    ['that is made up', () => page({ cursor: 'made-up' })],
  ])('is refused %s', async (_how, use) => {
    const { nextCursor } = (await page({ limit: 3 })).body;
    const { status, body } = await use(nextCursor ?? '');
    expect([status, body.error.code]).toEqual([400, 'INVALID_CURSOR']);
  });

  test('has at most 500 characters', async () => {
    const { nextCursor } = (await page({ limit: 1 })).body;
    expect(nextCursor?.length).toBeLessThanOrEqual(500);
    const { status, body } = await page({ cursor: 'x'.repeat(501) });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('one company', () => {
  test('is read by its id', async () => {
    const company = await first<Company>(sandbox(), '/companies');
    expect((await sandbox().call<Company>({ path: `/companies/${company.id}` })).body).toEqual(company);
  });

  test.each([
    ['nobody', 404],
    ['x'.repeat(200), 404],
    ['x'.repeat(201), 400],
    ['%2F..%2F', 404],
    ["'; DROP TABLE companies; --", 404],
  ])('with the id %s answers %i', async (id, status) => {
    const path = `/companies/${id.startsWith('%') ? id : encodeURIComponent(id)}`;
    expect((await sandbox().call({ path })).status).toBe(status);
  });
});

describe('an update', () => {
  test('changes what is given, clears what is null, and is announced once', async () => {
    const company = await first<Company>(sandbox(), '/companies');
    const feed = await watchFeed(sandbox(), company.id);
    const { body } = await update(company.id, {
      address: 'Õie 5',
      directorName: null,
      vatFrom: '2024-02-29',
    });
    expect(body).toEqual({
      ...company,
      address: 'Õie 5',
      directorName: null,
      vatFrom: '2024-02-29',
      updatedAt: body.updatedAt,
    });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(company.updatedAt));
    expect((await sandbox().call<Company>({ path: `/companies/${company.id}` })).body).toEqual(body);
    expect(await feed.since()).toMatchObject([{ type: 'company.updated', companyId: company.id }]);
  });

  test('that changes nothing is no change, and not announced', async () => {
    const company = await first<Company>(sandbox(), '/companies');
    const feed = await watchFeed(sandbox(), company.id);
    expect((await update(company.id, {})).body).toEqual(company);
    expect((await update(company.id, { address: company.address })).body).toEqual(company);
    expect(await feed.since()).toEqual([]);
  });

  test('as a dry run tells what would change, and saves nothing', async () => {
    const company = await first<Company>(sandbox(), '/companies');
    const feed = await watchFeed(sandbox(), company.id);
    const { status, body } = await update<Preview>(company.id, { legalForm: 'AS!' }, { dryRun: true });
    expect(status).toBe(200);
    expect(body.dryRun).toBe(true);
    expect(body.changes).toEqual([{ path: 'legalForm', before: company.legalForm, after: 'AS!' }]);
    expect(body.result).toMatchObject({ id: company.id, legalForm: 'AS!' });
    expect(await first<Company>(sandbox(), '/companies')).toEqual(company);
    expect(await feed.since()).toEqual([]);
  });

  test.each([
    ['true', 200, true],
    ['false', 200, undefined],
    ['yes', 400, undefined],
  ])('takes dryRun=%s', async (dryRun, status, answered) => {
    const company = await first<Company>(sandbox(), '/companies');
    const answer = await update<Partial<Preview>>(company.id, {}, { dryRun });
    expect([answer.status, answer.body.dryRun]).toEqual([status, answered]);
  });

  test.each([
    ['300 characters', { address: 'õ'.repeat(300) }, null],
    ['301 characters', { address: 'õ'.repeat(301) }, 'address'],
    ['a reason of 200', { serviceStoppedReason: 'x'.repeat(200) }, null],
    ['a reason of 201', { serviceStoppedReason: 'x'.repeat(201) }, 'serviceStoppedReason'],
    ['a leap day', { vatTo: '2024-02-29' }, null],
    ['a leap day that is none', { vatTo: '2023-02-29' }, 'vatTo'],
    ['a day that is none', { employeesTo: '2024-04-31' }, 'employeesTo'],
    ['a date-time as date', { vatFrom: '2024-01-01T00:00:00Z' }, 'vatFrom'],
    ['an unknown VAT period', { vatPeriod: 'yearly' }, 'vatPeriod'],
    ['no VAT period', { vatPeriod: null }, null],
    ['a number as text', { shortName: 5 }, 'shortName'],
    ['the name', { name: 'New' }, 'name'],
    ['the registration code', { registrationCode: '1' }, 'registrationCode'],
    ['the VAT code', { vatCode: 'EE1' }, 'vatCode'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('with %s', async (_what, body, refusedPath) => {
    const company = await first<Company>(sandbox(), '/companies');
    const answer = await sandbox().call({ method: 'PATCH', path: `/companies/${company.id}`, body });
    expect(answer.status).toBe(refusedPath === null ? 200 : 422);
    const paths = answer.status === 200 ? [] : answer.body.error.details?.issues?.map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(refusedPath === null ? [] : [refusedPath]));
  });

  test('names every issue at once', async () => {
    const company = await first<Company>(sandbox(), '/companies');
    const body = { vatFrom: 'x', address: 'x'.repeat(301), name: 'x' };
    const answer = await sandbox().call({ method: 'PATCH', path: `/companies/${company.id}`, body });
    const issues = answer.body.error.details?.issues ?? [];
    expect(issues.map(({ path }) => path).sort()).toEqual(['address', 'name', 'vatFrom']);
    for (const { message } of issues) expect(message).not.toBe('');
  });
});
