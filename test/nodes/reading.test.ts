import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../support/action';
import { loadEngine, type NodeRun } from '../support/engine';
import { pdf } from '../support/files';
import { useSandbox } from '../support/sandbox';
import { requestsTo, someCompany, trail } from '../support/uploads';

const DOCUMENTS = 450;

const sandbox = useSandbox({ documents: DOCUMENTS, rateLimit: 'off' });
let company = '';

beforeAll(async () => {
  await loadEngine();
  company = await someCompany(sandbox());
  await sandbox().control('reset');
});

const run = async (
  resource: string,
  operation: string,
  parameters: INodeParameters = {},
  changes: Partial<NodeRun> = {},
) => await runAction(sandbox(), { resource, operation, simplify: false, ...parameters }, changes);

const queries = async (path: string) =>
  (await requestsTo(sandbox(), 'GET', path)).map(({ query }): Record<string, unknown> => ({
    ...query,
    cursor: typeof query.cursor,
  }));

/** A document with a file that has just arrived by e-mail. */
async function arrived(filename: string, bytes: Buffer): Promise<{ id: string }> {
  const contentBase64 = bytes.toString('base64');
  return await sandbox().control('documents', {
    companyId: company,
    source: 'email',
    filename,
    contentBase64,
  });
}

describe('Company: Get', () => {
  test('gives the record as it is', async () => {
    const { body } = await sandbox().call<object>({ path: `/companies/${company}` });
    const companyId = { __rl: true, mode: 'list', value: company, cachedResultName: 'A' };
    expect(jsonOf(await run('company', 'get', { companyId }))).toEqual([body]);
    expect((await trail(sandbox())).at(-1)).toBe(`GET /companies/${company}`);
  });

  test('gives ten fields when it is simplified, by an ID with stray spaces', async () => {
    const companyId = { __rl: true, mode: 'id', value: `=  {{ "${company}" }} ` };
    const [record] = jsonOf(await run('company', 'get', { companyId, simplify: true }));
    expect(Object.keys(Object(record))).toEqual([
      'id',
      'name',
      'shortName',
      'registrationCode',
      'vatCode',
      'legalForm',
      'directorName',
      'vatPeriod',
      'serviceStoppedFrom',
      'updatedAt',
    ]);
    expect(record).toMatchObject({ id: company });
  });

  test.each(['../documents', 'a/b?c=d#e', 'ä🧾', '%2e%2e'])(
    'an ID can never leave its place in the path: %s',
    async (value) => {
      const { error } = await run('company', 'get', { companyId: { __rl: true, mode: 'id', value } });
      expect(error?.message).toContain(`The agency does not know the company "${value}", or the key`);
      expect(await trail(sandbox())).toEqual([`GET /companies/${encodeURIComponent(value)}`]);
    },
  );

  test.each([
    ['..', 'ID must not be "..". [item 0]'],
    ['={{ "x".repeat(201) }}', 'Company has 201 characters; 200 are allowed. [item 0]'],
    ['={{ null }}', 'Company is empty. [item 0]'],
  ])('%s is refused before anything is sent', async (value, message) => {
    const { error } = await run('company', 'get', { companyId: { __rl: true, mode: 'id', value } });
    expect(error?.message).toBe(message);
    expect(await trail(sandbox())).toEqual([]);
  });
});

describe('Company: Get Many', () => {
  test('Return All gives every company once, by name, in pages of 200', async () => {
    const companies = jsonOf(await run('company', 'getAll', { returnAll: true }));
    expect(companies.length).toBeGreaterThanOrEqual(260);
    expect(new Set(companies.map((one) => Object(one).id)).size).toBe(companies.length);
    expect(await queries('/companies')).toEqual([
      { limit: '200', cursor: 'undefined' },
      { limit: '200', cursor: 'string' },
    ]);
  });

  test('searches, with the same text on every page', async () => {
    const found = jsonOf(await run('company', 'getAll', { returnAll: true, filters: { query: ' OÜ ' } }));
    expect(found.length).toBeGreaterThan(0);
    for (const query of await queries('/companies')) expect(query).toMatchObject({ query: 'OÜ' });
  });

  test('a search text that is too long is refused', async () => {
    const { error } = await run('company', 'getAll', {
      returnAll: true,
      filters: { query: 'x'.repeat(201) },
    });
    expect(error?.message).toBe('Search Text has 201 characters; 200 are allowed. [item 0]');
  });
});

describe('Document: Get', () => {
  test('gives the record, or its most used fields', async () => {
    const { id } = await arrived('x.pdf', pdf('x', 100));
    const { body } = await sandbox().call<object>({ path: `/documents/${id}` });
    expect(jsonOf(await run('document', 'get', { documentId: ` ${id} ` }))).toEqual([body]);
    const [short] = jsonOf(await run('document', 'get', { documentId: id, simplify: true }));
    expect(short).toMatchObject({ id, name: 'x.pdf', mimeType: 'application/pdf', sizeBytes: 100 });
    expect(Object.keys(Object(short))).toHaveLength(10);
  });
});

describe('Document: Get Many', () => {
  test('Return All gives every document once, newest first', async () => {
    const documents = jsonOf(await run('document', 'getAll', { returnAll: true }));
    expect(new Set(documents.map((one) => Object(one).id)).size).toBe(DOCUMENTS);
    const times = documents.map((one) => String(Object(one).receivedAt));
    expect(times).toEqual([...times].sort().reverse());
    expect((await queries('/documents')).map(({ limit, cursor }) => [limit, cursor])).toEqual([
      ['200', 'undefined'],
      ['200', 'string'],
      ['200', 'string'],
    ]);
  });

  test.each([
    [1, ['1']],
    [200, ['200']],
    [201, ['200', '1']],
    [250, ['200', '50']],
    [10_000, ['200', '200', '200']],
  ])('Limit %i asks for no more than it needs', async (limit, asked) => {
    const documents = jsonOf(await run('document', 'getAll', { returnAll: false, limit }));
    expect(documents).toHaveLength(Math.min(limit, DOCUMENTS));
    expect((await queries('/documents')).map((query) => query.limit)).toEqual(asked);
  });

  test.each([0, -1, 1.5, 'all'])('Limit %p is refused', async (limit) => {
    const { error } = await run('document', 'getAll', { returnAll: false, limit });
    expect(error?.message).toMatch(/^Limit must be a whole number from 1 to /);
    expect(await trail(sandbox())).toEqual([]);
  });

  test('filters, on every page, dates in the time zone of the workflow', async () => {
    const filters = {
      companyId: { __rl: true, mode: 'id', value: company },
      stage: 'inbox',
      receivedFrom: '2020-03-31',
      receivedTo: '2030-03-31T10:00:00',
    };
    jsonOf(await run('document', 'getAll', { returnAll: true, filters }, { timezone: 'America/New_York' }));
    expect(await queries('/documents')).toEqual([
      {
        companyId: company,
        stage: 'inbox',
        receivedFrom: '2020-03-31',
        receivedTo: '2030-03-31T10:00:00-04:00',
        limit: '200',
        cursor: 'undefined',
      },
    ]);
  });

  test('leaves out filters that are empty', async () => {
    const filters = { companyId: { __rl: true, mode: 'list', value: '' }, receivedFrom: '', receivedTo: '' };
    jsonOf(await run('document', 'getAll', { returnAll: false, limit: 1, filters }));
    expect(await queries('/documents')).toEqual([{ limit: '1', cursor: 'undefined' }]);
  });

  test.each([
    [{ receivedFrom: '2024-02-30' }, 'Received From is not a date of the calendar: "2024-02-30". [item 0]'],
    [{ receivedTo: 'soon' }, 'Received To is not a date or a time: "soon". [item 0]'],
    [{ stage: '={{ "lost" }}' }, 'Stage cannot be "lost". [item 0]'],
  ])('%p is refused before anything is sent', async (filters, message) => {
    const { error } = await run('document', 'getAll', { returnAll: true, filters });
    expect(error?.message).toBe(message);
    expect(await trail(sandbox())).toEqual([]);
  });

  test('for several items gives the rows of each, paired to it', async () => {
    const { outputs } = await run(
      'document',
      'getAll',
      { returnAll: false, limit: '={{ $json.limit }}' },
      { input: [{ json: { limit: 2 } }, { json: { limit: 3 } }] },
    );
    expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
      [0, 0, 1, 1, 1].map((item) => ({ item })),
    );
  });
});
