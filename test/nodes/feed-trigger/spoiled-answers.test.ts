import { loadEngine } from '../../support/engine';
import { SPOILINGS, SpoilingProxy } from '../../support/proxies/spoiling-proxy';
import { useSandbox } from '../../support/sandbox/sandbox';
import { passTimeFaster } from '../../support/time/fast-time';
import { FeedWorkflow } from '../../support/trigger/feed-trigger';

const sandbox = useSandbox({ documents: 30, rateLimit: 'off' });
let proxy: SpoilingProxy;
let companyId = '';

beforeAll(async () => {
  await loadEngine();
  const key = sandbox().keys.singleCompany;
  const { body } = await sandbox().call<{ data: { id: string }[] }>({ path: '/companies', key });
  companyId = body.data[0]?.id ?? '';
});
beforeEach(async () => {
  passTimeFaster(100);
  proxy = await SpoilingProxy.start(sandbox().url);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await proxy.close();
});

const FILE = Buffer.from('%PDF-1.4 of a length that no spoiled answer has');

/** A published workflow that gets documents with their files, and a document that has arrived since. */
async function arrived(): Promise<FeedWorkflow> {
  const workflow = new FeedWorkflow(
    { address: proxy.address, token: sandbox().keys.singleCompany },
    { events: ['document.received'], include: 'recordAndFile' },
  );
  await workflow.start();
  await sandbox().control('documents', {
    companyId,
    source: 'email',
    filename: 'arve.pdf',
    contentBase64: FILE.toString('base64'),
  });
  return workflow;
}

/** The sizes of the files that came with the events of a poll. */
const files = async (workflow: FeedWorkflow) =>
  (await workflow.poll()).map(({ binary }) => binary?.data?.bytes);

describe.each([
  ['the event feed', /^GET \/events$/],
  ['the record', /^GET \/documents\/[^/]+$/],
  ['the file', /^GET \/documents\/[^/]+\/content$/],
])('A poll, when %s', (_, request) => {
  test.each(Object.entries(SPOILINGS))(
    'is answered with %s, brings the document with its file once the answer is right',
    async (_name, answer) => {
      const workflow = await arrived();
      const before = workflow.position;
      proxy.spoil({ request, times: Number.POSITIVE_INFINITY, answer });
      expect(await files(workflow)).toEqual([]);
      expect(workflow.position).toEqual(before);
      expect(workflow.warnings).toHaveLength(1);
      proxy.spoil();
      expect(await files(workflow)).toEqual([FILE.length]);
      expect(await files(workflow)).toEqual([]);
    },
  );

  test('is answered once with each of them, brings the document with its file once', async () => {
    for (const [name, answer] of Object.entries(SPOILINGS)) {
      const workflow = await arrived();
      proxy.spoil({ request, times: 1, answer });
      const polls = [await files(workflow), await files(workflow)];
      expect([name, polls.flat()]).toEqual([name, [FILE.length]]);
    }
  });
});
