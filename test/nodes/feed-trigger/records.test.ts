import { FeedWorkflow } from '../../support/trigger/feed-trigger';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30, rateLimit: 'off' });
const credential = (token = sandbox().keys.singleCompany) => ({ address: sandbox().url, token });

let companyId = '';
beforeAll(async () => {
  const key = sandbox().keys.singleCompany;
  const { body } = await sandbox().call<{ data: { id: string }[] }>({ path: '/companies', key });
  companyId = body.data[0]?.id ?? '';
});
const happen = async (type: string, count = 1) =>
  await sandbox().control('events', { count, type, companyId });
const arrives = async () =>
  await sandbox().control<{ id: string }>('documents', {
    companyId,
    source: 'email',
    filename: 'Arve märts.pdf',
    contentBase64: Buffer.from('%PDF-1.4 hello').toString('base64'),
  });

/** The items of the events that happen meanwhile, and the paths that were asked for. */
async function items(include: string, cause: () => Promise<unknown>, key?: string) {
  const workflow = new FeedWorkflow(credential(key), { include });
  await workflow.start();
  await cause();
  const before = (await sandbox().requests()).length;
  const polled = await workflow.poll();
  const paths = (await sandbox().requests()).slice(before).map(({ path }) => path.replace('/api/v1', ''));
  return { polled, paths: paths.filter((path) => path !== '/events'), workflow };
}

test('nothing comes with an event unless it is included, and nothing is asked for it', async () => {
  const { polled, paths } = await items('nothing', arrives);
  expect(polled[0]?.json).not.toHaveProperty('record');
  expect(paths).toEqual([]);
});

test('the record is the document, the company or its settings: one request each', async () => {
  for (const [type, path, field] of [
    ['document.received', /^\/documents\/[^/]+$/, 'originalFilename'],
    ['company.updated', /^\/companies\/[^/]+$/, 'legalForm'],
    ['company.settings_updated', /^\/companies\/[^/]+\/settings$/, 'agent'],
  ] as const) {
    const { polled, paths } = await items('record', async () => await happen(type));
    expect(polled).toHaveLength(1);
    expect(polled[0]?.json.record).toHaveProperty(field);
    expect(polled[0]?.binary).toBeUndefined();
    expect(paths).toEqual([expect.stringMatching(path)]);
  }
});

test.each(['obligation.updated', 'task.completed'])(
  'of %s the API has no record, and says so',
  async (type) => {
    const { polled, paths } = await items(
      'recordAndFile',
      async () => await happen(type),
      sandbox().keys.full,
    );
    expect(polled[0]?.json).toMatchObject({
      type,
      record: null,
      recordUnavailable: 'The agency has no record to read for this event.',
    });
    expect(paths).toEqual([]);
  },
);

test("the document's file comes as binary, under its own name and type", async () => {
  const { polled, paths } = await items('recordAndFile', arrives);
  const binary = polled[0]?.binary;
  expect(polled[0]?.json.record).toMatchObject({ originalFilename: 'Arve märts.pdf' });
  expect(binary?.data).toMatchObject({ fileName: 'Arve märts.pdf', mimeType: 'application/pdf' });
  expect(binary?.data?.bytes).toBe(14);
  expect(paths).toEqual([expect.stringMatching(/^\/documents\/[^/]+$/), expect.stringMatching(/\/content$/)]);
});

test('a record that is refused is null with the reason, and the event runs', async () => {
  const { polled } = await items('record', async () => {
    await happen('document.received');
    const plan = { path: '/documents/*', times: 1, fault: 'status', status: 404, code: 'NOT_FOUND' };
    await sandbox().control('faults', [plan]);
  });
  expect(polled[0]?.json).toMatchObject({
    record: null,
    recordUnavailable: expect.stringMatching(/Document "/),
  });
});

test.each([
  ['the agency is away', { times: 3, fault: 'status', status: 503 }],
  ['a proxy does not find it', { times: 1, fault: 'html', status: 404 }],
  ['a proxy refuses it', { times: 1, fault: 'html', status: 403 }],
])(
  'an event waits for its record while %s, and those before it run',
  async (_, fault) => {
    const { polled, workflow } = await items('record', async () => {
      await happen('company.updated', 1);
      await happen('document.received', 2);
      await sandbox().control('faults', [{ path: '/documents/*', ...fault }]);
    });
    expect(polled.map(({ json }) => json.type)).toEqual(['company.updated']);
    const rest = await workflow.poll();
    expect(rest.map(({ json }) => json.type)).toEqual(['document.received', 'document.received']);
    expect(rest.every(({ json }) => json.record !== null)).toBe(true);
    expect(await workflow.poll()).toEqual([]);
  },
  30_000,
);
