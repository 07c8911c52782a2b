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

describe('what cannot be read for an hour', () => {
  afterEach(async () => {
    jest.restoreAllMocks();
    await sandbox().control('faults', []);
  });

  const start = Date.now();
  /** What a poll gives, so many minutes from the start. */
  const poll = async (workflow: FeedWorkflow, minutes: number) => {
    jest.spyOn(Date, 'now').mockReturnValue(start + minutes * 60_000);
    return await workflow.poll();
  };
  const fail = async (...paths: string[]) =>
    await sandbox().control(
      'faults',
      paths.map((path) => ({ path, times: 1_000, fault: 'html', status: 403 })),
    );
  const published = async (include: string) => {
    const workflow = new FeedWorkflow(credential(), { include });
    await workflow.start();
    return workflow;
  };
  const LASTS = 'The events could not be read for an hour.';

  test('is left out of the events, if it is the record', async () => {
    const workflow = await published('record');
    await happen('document.received', 2);
    await fail('/documents/*');
    for (const minutes of [0, 30, 59]) expect(await poll(workflow, minutes)).toEqual([]);
    await expect(poll(workflow, 61)).rejects.toThrow(LASTS);
    const late = await poll(workflow, 62);
    expect(late).toHaveLength(2);
    for (const { json } of late) {
      expect(json).toMatchObject({ record: null, recordUnavailable: expect.stringContaining('not from') });
    }
    await happen('document.received', 1);
    expect((await poll(workflow, 63)).map(({ json }) => json.record)).toEqual([null]);
    expect(workflow.failedExecutions).toEqual([]);
    await fail();
    await happen('document.received', 1);
    expect((await poll(workflow, 64))[0]?.json.record).toHaveProperty('originalFilename');
    expect(workflow.failedExecutions).toEqual([expect.stringContaining('can be read again')]);
  });

  test('is no longer left out once another record could be read', async () => {
    const workflow = await published('record');
    await happen('document.received', 1);
    await happen('company.updated', 1);
    await fail('/documents/*');
    expect(await poll(workflow, 0)).toEqual([]);
    await expect(poll(workflow, 61)).rejects.toThrow(LASTS);
    await fail('/companies/*');
    expect((await poll(workflow, 62)).map(({ json }) => json.type)).toEqual(['document.received']);
    expect(await poll(workflow, 63)).toEqual([]);
    await fail();
    expect((await poll(workflow, 64))[0]?.json.record).toHaveProperty('legalForm');
  });

  test('is left out of the event, if it is the file alone', async () => {
    const workflow = await published('recordAndFile');
    await arrives();
    await fail('/documents/*/content');
    expect(await poll(workflow, 0)).toEqual([]);
    await expect(poll(workflow, 61)).rejects.toThrow(LASTS);
    const [late] = await poll(workflow, 62);
    expect(late?.json).toMatchObject({
      record: { originalFilename: 'Arve märts.pdf' },
      fileUnavailable: expect.stringContaining('not from'),
    });
    expect(late?.binary).toBeUndefined();
  });

  test.each([[['/events']], [['/documents/*'], ['/events']]])(
    'is not the record, if the feed could not be read meanwhile: %j',
    async (...outages) => {
      const workflow = await published('record');
      await happen('document.received', 2);
      for (const [minutes, paths] of outages.entries()) {
        await fail(...paths);
        expect(await poll(workflow, minutes)).toEqual([]);
      }
      await expect(poll(workflow, 62)).rejects.toThrow(LASTS);
      await fail('/documents/*');
      expect(await poll(workflow, 70)).toEqual([]);
      await fail();
      const late = await poll(workflow, 71);
      expect(late.map(({ json }) => typeof json.record)).toEqual(['object', 'object']);
      expect(late.every(({ json }) => json.record !== null)).toBe(true);
    },
  );
});
