import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { systemClock } from '../../../nodes/shared/api/requests/wait';
import { jsonOf, runAction } from '../../support/action/action';
import type { NodeRun } from '../../support/engine';
import { itemsWithFiles, pdf } from '../../support/action/files';
import { retriedFrom } from '../../support/action/retry';
import { MANY_READINGS } from '../../support/proxies/event-readings';
import { useReadingProxy } from '../../support/proxies/reading-proxy';
import { useSandbox } from '../../support/sandbox/sandbox';
import { fastTime } from '../../support/time/time';
import { REFUSED_FILING, requestsTo, trail, useCompany, uploadTo } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
const proxy = useReadingProxy(() => sandbox().url);
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

  test('gives it also at an agency with other lists and times', async () => {
    proxy.read(MANY_READINGS);
    const credential = { address: proxy.address(), token: sandbox().keys.full };
    await upload({ executionId: '1' });
    const [document] = jsonOf(await upload({ credential }, waiting()));
    expect(document).toMatchObject({
      recognition: { status: 'completed', at: expect.stringMatching(/^\d{8}T/) },
    });
  });

  test('also of a file that cannot be read', async () => {
    const empty = itemsWithFiles({ files: { data: { bytes: Buffer.alloc(0), name: 'x.pdf' } } });
    const [document] = jsonOf(await upload({ input: empty }, waiting()));
    expect(document).toMatchObject({ recognition: { status: 'failed' } });
  });

  test('ends at the time limit, with the document as it is', async () => {
    const result = await upload({}, waiting({ stopWaitingAfterSeconds: 1 }));
    expect(jsonOf(result)).toMatchObject([
      { name: 'x.pdf', recognition: { status: 'pending', at: null, data: null } },
    ]);
    expect(result.hints).toEqual(['Text recognition still pending: 1']);
  });

  test('looks once more when its time is over, even if that is before the next turn', async () => {
    const start = Date.now();
    let slept = 0;
    jest.spyOn(systemClock, 'now').mockImplementation(() => start + slept);
    jest.spyOn(systemClock, 'sleep').mockImplementation(async (milliseconds) => {
      slept += milliseconds;
      await sandbox().control('clock', { advanceSeconds: 5 });
    });
    const [document] = jsonOf(await upload({}, waiting({ stopWaitingAfterSeconds: 1 })));
    expect(document).toMatchObject({ recognition: { status: 'completed' } });
  });

  test('is meant also by saying only for how long', async () => {
    const [read] = jsonOf(await upload({}, { options: { stopWaitingAfterSeconds: 60 } }));
    expect(read).toMatchObject({ recognition: { status: 'completed' } });
    const [pending] = jsonOf(
      await upload({ executionId: '2' }, { options: { stopWaitingAfterSeconds: '={{ 1 }}' } }),
    );
    expect(pending).toMatchObject({ recognition: { status: 'pending' } });
  });

  test.each([
    { waitForRecognition: false, stopWaitingAfterSeconds: 60 },
    { waitForRecognition: '={{ "false" }}', stopWaitingAfterSeconds: 60 },
    { stopWaitingAfterSeconds: '={{ null }}' },
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
    const documents = jsonOf(await upload({ input: many }, waiting({ concurrency: 20 })));
    expect(documents).toHaveLength(20);
    for (const document of documents)
      expect(document).toMatchObject({ recognition: { status: 'completed' } });
    const reads = await requestsTo(sandbox(), 'GET', '/events');
    // Each on its own would walk the feed and poll it: four reads at least.
    expect(reads.length).toBeLessThan(2 * documents.length);
    for (const { query } of reads) expect(query.companyId).toBe(company());
    const fromTheStart = reads.filter(({ query }) => query.after === undefined);
    expect(fromTheStart).toHaveLength(1);
  });

  test('of the first file holds up no other file, also when one is worked on at a time', async () => {
    const FILES = 16;
    const many = itemsWithFiles(
      ...Array.from({ length: FILES }, (_, index) => ({
        files: { data: { bytes: pdf(String(index)), name: `${index}.pdf` } },
      })),
    );
    // So slow that all files are there while the feed is asked a few times.
    await sandbox().control('faults', [
      { method: 'GET', path: '/events', times: 1000, fault: 'delay', delayMs: 2500 },
    ]);
    const documents = jsonOf(await upload({ input: many }, waiting({ concurrency: 1 })));
    expect(documents).toHaveLength(FILES);
    for (const document of documents)
      expect(document).toMatchObject({ recognition: { status: 'completed' } });
    const requests = await trail(sandbox());
    const before = requests.slice(0, requests.lastIndexOf('POST /documents'));
    expect(before.filter((one) => one === 'GET /events').length).toBeLessThan(FILES / 2);
  });

  test('looks once more at its end', async () => {
    // The agency has read the document after two seconds, when there would be no time for another poll.
    const [document] = jsonOf(await upload({}, waiting({ stopWaitingAfterSeconds: 3 })));
    expect(document).toMatchObject({ recognition: { status: 'completed' } });
  });

  describe('in the next execution', () => {
    const HISTORY = 20_000;
    const reads = async () => await requestsTo(sandbox(), 'GET', '/events');

    /** What n8n keeps of the workflow after an execution that has read a long history. */
    async function afterFirst(): Promise<IDataObject> {
      await sandbox().control('events', { count: HISTORY, companyId: company(), over: 600 });
      const staticData: IDataObject = {};
      await upload({ staticData, mode: 'trigger', executionId: 'first' }, waiting());
      return staticData;
    }

    test('begins where the one before has ended', async () => {
      const staticData = await afterFirst();
      const before = (await reads()).length;
      expect(before).toBeGreaterThan(HISTORY / 200);
      const changes = { staticData, mode: 'trigger', executionId: 'second' } as const;
      const [document] = jsonOf(await upload(changes, waiting()));
      expect(document).toMatchObject({ recognition: { status: 'completed' } });
      expect((await reads()).length - before).toBeLessThanOrEqual(5);
    });

    test('still finds what became of a document that is older than that', async () => {
      await sandbox().control('events', { count: 300, companyId: company(), over: 600 });
      await sandbox().control('faults', [REFUSED_FILING]);
      const two = itemsWithFiles(
        ...['a', 'b'].map((name) => ({ files: { data: { bytes: pdf(name), name: `${name}.pdf` } } })),
      );
      const first = await upload({ input: two, mode: 'trigger' }, waiting({ concurrency: 2 }));
      expect(first.error).toBeDefined();
      await sandbox().control('clock', { advanceSeconds: 600 });
      const staticData = await afterFirst();
      const again = {
        input: two,
        resume: retriedFrom(first.run),
        mode: 'retry',
        executionId: '2',
        staticData,
      } as const;
      for (const document of jsonOf(await upload(again, waiting())))
        expect(document).toMatchObject({ recognition: { status: 'completed' } });
    });

    test.each([
      ['that the agency does not take', 'odd'],
      ['that is damaged', 5],
    ])('begins anew from a position %s', async (_, after) => {
      await sandbox().control('events', { count: 300, companyId: company(), over: 600 });
      const positions = { [`${sandbox().url} ${company()}`]: { after, at: '2026-01-01T00:00:00.000Z' } };
      const staticData = { 'node:Agency': { recognition: positions } };
      const [document] = jsonOf(await upload({ staticData, mode: 'trigger' }, waiting()));
      expect(document).toMatchObject({ recognition: { status: 'completed' } });
      expect((await reads()).some(({ query }) => query.after === undefined)).toBe(true);
    });

    test.each([{ 'node:Agency': 5 }, { 'node:Agency': { recognition: [] } }])(
      'works with damaged data %j',
      async (staticData) => {
        const [document] = jsonOf(await upload({ staticData, mode: 'trigger' }, waiting()));
        expect(document).toMatchObject({ recognition: { status: 'completed' } });
      },
    );
  });

  test('after a retry finds what was read long ago', async () => {
    const many = itemsWithFiles(
      ...['a', 'b'].map((name) => ({ files: { data: { bytes: pdf(name), name: `${name}.pdf` } } })),
    );
    const parameters = waiting({ concurrency: 2 });
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
    const key = await sandbox().newKey(['companies:read', 'documents:write']);
    const { error } = await upload({ credential: { address: sandbox().url, token: key } }, waiting());
    expect(error?.message).toBe('The key lacks the scope events:read. [item 0]');
    expect(await uploads()).toEqual([]);
  });

  test.each([0, 901, 1.5, 'soon'])('for %p seconds is refused', async (stopWaitingAfterSeconds) => {
    const { error } = await upload({}, waiting({ stopWaitingAfterSeconds }));
    expect(error?.message).toBe(
      `Stop Waiting After (Seconds) must be a whole number from 1 to 900, not ${JSON.stringify(stopWaitingAfterSeconds)}. [item 0]`,
    );
    expect(time.waits).toEqual([]);
    expect(await uploads()).toEqual([]);
  });
});
