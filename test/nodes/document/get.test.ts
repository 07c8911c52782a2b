import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action/action';
import { companyById } from '../../support/action/company';
import type { NodeRun } from '../../support/engine';
import { pdf } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { arrived, requestsTo, useCompany, trail } from '../../support/action/uploads';

const DOCUMENTS = 450;

const sandbox = useSandbox({ documents: DOCUMENTS, rateLimit: 'off' });
const company = useCompany(sandbox);

const run = async (operation: string, parameters: INodeParameters, changes: Partial<NodeRun> = {}) =>
  await runAction(sandbox(), { resource: 'document', operation, output: 'all', ...parameters }, changes);

/** What was asked of each page. */
const queries = async () =>
  (await requestsTo(sandbox(), 'GET', '/documents')).map(({ query }): Record<string, unknown> => ({
    ...query,
    cursor: typeof query.cursor,
  }));

describe('Document: Get', () => {
  test('gives the record, or its most used fields', async () => {
    const { id } = await arrived(sandbox(), company(), 'x.pdf', pdf('x', 100));
    const { body } = await sandbox().call<object>({ path: `/documents/${id}` });
    expect(jsonOf(await run('get', { documentId: ` ${id} ` }))).toEqual([body]);
    const [short] = jsonOf(await run('get', { documentId: id, output: 'simplified' }));
    expect(short).toMatchObject({ id, name: 'x.pdf', mimeType: 'application/pdf', stage: 'inbox' });
    expect(Object.keys(Object(short))).toHaveLength(9);
  });
});

describe('Document: Get Many', () => {
  test('Return All gives every document once, newest first', async () => {
    const documents = jsonOf(await run('getAll', { returnAll: true }));
    expect(new Set(documents.map((one) => Object(one).id)).size).toBe(DOCUMENTS);
    const times = documents.map((one) => String(Object(one).receivedAt));
    expect(times).toEqual([...times].sort().reverse());
    expect((await queries()).map(({ limit, cursor }) => [limit, cursor])).toEqual([
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
    const documents = jsonOf(await run('getAll', { returnAll: false, limit }));
    expect(documents).toHaveLength(Math.min(limit, DOCUMENTS));
    expect((await queries()).map((query) => query.limit)).toEqual(asked);
  });

  test.each([0, -1, 1.5, 'all'])('Limit %p is refused', async (limit) => {
    const { error } = await run('getAll', { returnAll: false, limit });
    expect(error?.message).toMatch(/^Limit must be a whole number of at least 1, not /);
    expect(await trail(sandbox())).toEqual([]);
  });

  test('filters, on every page, dates in the time zone of the workflow', async () => {
    const filters = {
      companyId: companyById(company()),
      stage: 'inbox',
      receivedFrom: '2020-03-31',
      receivedTo: '2030-03-31T10:00:00',
    };
    jsonOf(await run('getAll', { returnAll: true, filters }, { timezone: 'America/New_York' }));
    expect(await queries()).toEqual([
      {
        companyId: company(),
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
    jsonOf(await run('getAll', { returnAll: false, limit: 1, filters }));
    expect(await queries()).toEqual([{ limit: '1', cursor: 'undefined' }]);
  });

  test.each([
    [{ receivedFrom: '2024-02-30' }, 'Received Since is not a calendar date: "2024-02-30". [item 0]'],
    [{ receivedTo: 'soon' }, 'Received Before is not a date or a time: "soon". [item 0]'],
    [{ stage: '={{ "lost" }}' }, 'Stage cannot be "lost". [item 0]'],
  ])('%p is refused before anything is sent', async (filters, message) => {
    const { error } = await run('getAll', { returnAll: true, filters });
    expect(error?.message).toBe(message);
    expect(await trail(sandbox())).toEqual([]);
  });

  test('for several items gives the rows of each, paired to it', async () => {
    const { outputs } = await run(
      'getAll',
      { returnAll: false, limit: '={{ $json.limit }}' },
      { input: [{ json: { limit: 2 } }, { json: { limit: 3 } }] },
    );
    expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
      [0, 0, 1, 1, 1].map((item) => ({ item })),
    );
  });
});
