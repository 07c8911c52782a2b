import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action';
import type { NodeRun } from '../../support/engine';
import { itemsWithFiles, pdf } from '../../support/files';
import { retriedFrom } from '../../support/retry';
import { useSandbox } from '../../support/sandbox';
import { fastTime } from '../../support/time';
import { REFUSED_FILING, requestsTo, useCompany, trail, uploadTo } from '../../support/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
const time = fastTime(sandbox);
const company = useCompany(sandbox);

const input = itemsWithFiles({ files: { data: { bytes: pdf('a'), name: 'x.pdf' } } });

const upload = async (changes: Partial<NodeRun> = {}, parameters: INodeParameters = {}) =>
  await runAction(sandbox(), uploadTo(company(), parameters), { input, ...changes });

const uploads = async () => await requestsTo(sandbox(), 'POST', '/files');

describe('Waiting for text recognition', () => {
  const waiting = (more: INodeParameters = {}) => ({ options: { waitForRecognition: true, ...more } });

  test('gives what became of it', async () => {
    const [document] = jsonOf(await upload({}, waiting()));
    expect(document).toMatchObject({
      name: 'x.pdf',
      recognition: { status: 'completed', at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    });
  });

  test('also of a file that cannot be read', async () => {
    const empty = itemsWithFiles({ files: { data: { bytes: Buffer.alloc(0), name: 'x.pdf' } } });
    const [document] = jsonOf(await upload({ input: empty }, waiting()));
    expect(document).toMatchObject({ recognition: { status: 'failed' } });
  });

  test('ends at the time limit, with the document as it is', async () => {
    const [document] = jsonOf(await upload({}, waiting({ waitSeconds: 1 })));
    expect(document).toMatchObject({
      name: 'x.pdf',
      recognition: { status: 'pending', at: null, data: null },
    });
  });

  test('is meant also by saying only for how long', async () => {
    const [read] = jsonOf(await upload({}, { options: { waitSeconds: 60 } }));
    expect(read).toMatchObject({ recognition: { status: 'completed' } });
    const [pending] = jsonOf(await upload({ executionId: '2' }, { options: { waitSeconds: '={{ 1 }}' } }));
    expect(pending).toMatchObject({ recognition: { status: 'pending' } });
  });

  test.each([
    { waitForRecognition: false, waitSeconds: 60 },
    { waitForRecognition: '={{ "false" }}', waitSeconds: 60 },
    { waitSeconds: '={{ null }}' },
    {},
  ])('is not meant by %j', async (options) => {
    const [document] = jsonOf(await upload({}, { options }));
    expect(document).not.toHaveProperty('recognition');
  });

  test('of many documents polls the feed of their company together, from its end', async () => {
    const many = itemsWithFiles(
      ...Array.from({ length: 20 }, (_, index) => ({
        files: { data: { bytes: pdf(String(index)), name: `${index}.pdf` } },
      })),
    );
    const documents = jsonOf(await upload({ input: many }, waiting({ sideBySide: 20 })));
    expect(documents).toHaveLength(20);
    for (const document of documents)
      expect(document).toMatchObject({ recognition: { status: 'completed' } });
    const reads = await requestsTo(sandbox(), 'GET', '/events');
    // Each on its own would walk the feed and poll it: four reads at least.
    expect(reads.length).toBeLessThan(2 * documents.length);
    for (const { query } of reads) expect(query.companyId).toBe(company());
    const walked = (await trail(sandbox())).indexOf('POST /files');
    expect((await trail(sandbox())).slice(0, walked)).toContain('GET /events');
    const fromTheStart = reads.filter(({ query }) => query.after === undefined);
    expect(fromTheStart).toHaveLength(1);
  });

  test('after a retry finds what was read long ago', async () => {
    const many = itemsWithFiles(
      ...['a', 'b'].map((name) => ({ files: { data: { bytes: pdf(name), name: `${name}.pdf` } } })),
    );
    const parameters = waiting({ sideBySide: 2 });
    await sandbox().control('faults', [REFUSED_FILING]);
    const first = await upload({ input: many }, parameters);
    expect(first.error).toBeDefined();
    await sandbox().control('clock', { advanceSeconds: 600 });
    const documents = jsonOf(
      await upload(
        { input: many, resume: retriedFrom(first.run), mode: 'retry', executionId: '2' },
        parameters,
      ),
    );
    for (const document of documents)
      expect(document).toMatchObject({ recognition: { status: 'completed' } });
  });

  test('needs the scope for events before anything is uploaded', async () => {
    const { key } = await sandbox().control<{ key: string }>('keys', {
      scopes: ['companies:read', 'documents:write'],
      companies: 'all',
    });
    const { error } = await upload({ credential: { address: sandbox().url, token: key } }, waiting());
    expect(error?.message).toBe('The key lacks the scope events:read. [item 0]');
    expect(await uploads()).toEqual([]);
  });

  test.each([0, 3601, 1.5, 'soon'])('for %p seconds is refused', async (waitSeconds) => {
    const { error } = await upload({}, waiting({ waitSeconds }));
    expect(error?.message).toBe(
      `Stop Waiting After (Seconds) must be a whole number from 1 to 3600, not ${JSON.stringify(waitSeconds)}. [item 0]`,
    );
    expect(time.waits).toEqual([]);
    expect(await uploads()).toEqual([]);
  });
});
