import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import type { FaultPlan } from '../../../sandbox/control/faults';
import { jsonOf, runAction } from '../../support/action/action';
import { companyById } from '../../support/action/company';
import type { NodeRun } from '../../support/engine';
import { itemsWithFiles, pdf } from '../../support/action/files';
import { retriedFrom } from '../../support/action/retry';
import { useSandbox } from '../../support/sandbox/sandbox';
import { REFUSED_FILING, requestsTo, useCompany, uploadTo } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
const company = useCompany(sandbox);

const fault = async (...plans: FaultPlan[]) => await sandbox().control('faults', plans);

describe('The idempotency keys that the node makes', () => {
  const file = { bytes: pdf('a'), name: 'a.pdf' };
  const twoItems = itemsWithFiles({ files: { data: file } }, { files: { data: file } });
  const keysOf = async () =>
    (await sandbox().requests())
      .filter(({ method }) => method === 'POST')
      .map(({ path, headers }) => `${path} ${String(headers['idempotency-key'])}`);
  const upload = async (changes: Partial<NodeRun> = {}) =>
    await runAction(sandbox(), uploadTo(company()), { input: twoItems, ...changes });

  test('differ for each item and step, also when two items are alike', async () => {
    jsonOf(await upload());
    const keys = await keysOf();
    expect(keys).toHaveLength(4);
    expect(new Set(keys.map((key) => key.split(' ')[1])).size).toBe(4);
    for (const key of keys) expect(key).toMatch(/ [0-9a-f]{64}$/);
  });

  test('differ for each execution', async () => {
    jsonOf(await upload());
    jsonOf(await upload({ executionId: '2' }));
    expect(new Set(await keysOf()).size).toBe(8);
  });

  test('are the same when the execution is retried, also of two items that are alike', async () => {
    await fault({ ...REFUSED_FILING, times: 2 });
    const first = await upload();
    expect(first.error).toBeDefined();
    const before = await keysOf();
    const resume = retriedFrom(first.run);
    jsonOf(await upload({ resume, mode: 'retry', executionId: '2' }));
    const repeated = (await keysOf()).slice(before.length);
    const files = (keys: string[]) => keys.filter((key) => key.startsWith('/api/v1/files'));
    expect(new Set(files(before)).size).toBe(2);
    expect(files(repeated)).toEqual([]);
    const documents = before.filter((key) => key.includes('/documents'));
    expect(repeated.sort()).toEqual(documents.sort());
  });

  test('are the same when "Retry On Fail" runs the node again', async () => {
    await fault({
      method: 'POST',
      path: '/files',
      times: 2,
      fault: 'status',
      status: 403,
      code: 'FORBIDDEN',
    });
    jsonOf(await upload({ retryOnFail: true }));
    const files = (await keysOf()).filter((key) => key.startsWith('/api/v1/files'));
    expect(files).toHaveLength(4);
    expect(new Set(files).size).toBe(2);
    const listed = await sandbox().call<{ data: Array<{ name: string }> }>({ path: '/documents' });
    expect(listed.body.data.filter(({ name }) => name === 'a.pdf')).toHaveLength(2);
  });

  test('differ for each turn of a loop', async () => {
    jsonOf(await upload({ turns: 3 }));
    expect(new Set(await keysOf()).size).toBe(12);
  });

  test('differ for executions that began in the same millisecond, and stay the same for a retry of each', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    await fault({ ...REFUSED_FILING, times: 4 });
    const [one, two] = await Promise.all([upload({ executionId: '1' }), upload({ executionId: '2' })]);
    jest.restoreAllMocks();
    const before = new Set(await keysOf());
    expect(before.size).toBe(8);
    jsonOf(await upload({ resume: retriedFrom(one.run), mode: 'retry', executionId: '3' }));
    jsonOf(await upload({ resume: retriedFrom(two.run), mode: 'retry', executionId: '4' }));
    expect(new Set(await keysOf())).toEqual(before);
  });

  test('are the same for a retry even when n8n was killed before it could store what the node keeps', async () => {
    await fault({ ...REFUSED_FILING, times: 2 });
    const first = await upload();
    const before = new Set(await keysOf());
    const resume = retriedFrom(first.run);
    if (resume.executionData !== undefined) resume.executionData.contextData = {};
    jsonOf(await upload({ resume, mode: 'retry', executionId: '2' }));
    expect(new Set(await keysOf())).toEqual(before);
    const listed = await sandbox().call<{ data: unknown[] }>({ path: '/documents' });
    expect(listed.body.data).toHaveLength(2);
  });

  test('differ for nodes of one execution that are alike', async () => {
    expect((await upload({ alike: 2 })).error).toBeUndefined();
    const keys = await keysOf();
    expect(keys).toHaveLength(8);
    expect(new Set(keys).size).toBe(8);
    const listed = await sandbox().call<{ data: unknown[] }>({ path: '/documents' });
    expect(listed.body.data).toHaveLength(4);
  });

  describe('of the same execution and node', () => {
    const at = { tokenless: true, executionId: '1' };
    const send = async (parameters: INodeParameters, changes: Partial<NodeRun> = {}) => {
      const before = (await sandbox().requests()).length;
      await runAction(sandbox(), parameters, { ...at, ...changes });
      const sent = (await sandbox().requests()).slice(before).filter(({ method }) => method !== 'GET');
      return sent.map(({ headers }) => headers['idempotency-key']);
    };
    const uploadOf = async (name: string, length = 1500, more: INodeParameters = {}) =>
      await send(
        { resource: 'file', operation: 'upload', binaryPropertyName: 'data', ...more },
        { input: itemsWithFiles({ files: { data: { bytes: pdf('a', length), name } } }) },
      );
    const update = async (shortName: string, changes: Partial<NodeRun> = {}, id = company()) =>
      await send(
        {
          resource: 'company',
          operation: 'update',
          companyId: companyById(id),
          updateFields: { shortName },
          output: 'simplified',
        },
        changes,
      );

    test('are the same for the same', async () => {
      expect(await update('A')).toEqual(await update('A'));
      expect(await uploadOf('a.pdf')).toEqual(await uploadOf('a.pdf'));
    });

    test.each([
      ['for another item', async () => await update('A', { input: [{ json: { row: 2 } }] })],
      ['for another value of a field', async () => await update('B')],
      ['for another company', async () => await update('A', {}, 'cmp_0002')],
      ['in another workflow', async () => await update('A', { workflowId: 'workflow-2' })],
    ])('differ %s', async (_, other) => {
      const [key] = await update('A');
      expect(await other()).toEqual([expect.not.stringMatching(String(key))]);
    });

    test('differ for two files of an item that are alike in name, type and length', async () => {
      const bytes = [pdf('a'), pdf('b')];
      const input = itemsWithFiles({
        files: Object.fromEntries(bytes.map((one, index) => [index, { bytes: one, name: 'a.pdf' }])),
      });
      const parameters = { resource: 'file', operation: 'upload', binaryPropertyName: '*' };
      expect(new Set(await send(parameters, { input })).size).toBe(2);
    });

    test.each([
      ['for another name of the file', async () => await uploadOf('b.pdf')],
      [
        'for another name in the options',
        async () => await uploadOf('a.pdf', 1500, { options: { fileName: 'b.pdf' } }),
      ],
      ['for a file that is one byte longer', async () => await uploadOf('a.pdf', 1501)],
    ])('differ %s', async (_, other) => {
      const [key] = await uploadOf('a.pdf');
      expect(await other()).toEqual([expect.not.stringMatching(String(key))]);
    });
  });

  describe('on n8n 1.x, which gives an execution nothing but its id', () => {
    const older = async (changes: Partial<NodeRun> = {}) => await upload({ tokenless: true, ...changes });

    test('are the same when n8n runs an execution again whose process was killed', async () => {
      jsonOf(await older());
      const before = await keysOf();
      // Of what the first one left in the execution, nothing was stored; it begins at another time, elsewhere.
      await sleep(2);
      jsonOf(await older());
      expect((await keysOf()).slice(before.length).sort()).toEqual(before.sort());
      const listed = await sandbox().call<{ data: unknown[] }>({ path: '/documents' });
      expect(listed.body.data).toHaveLength(2);
    });

    test('are the same when an execution that stopped at the node is retried, and differ for another one', async () => {
      await fault({ ...REFUSED_FILING, times: 2 });
      const first = await older();
      const before = new Set(await keysOf());
      jsonOf(await older({ resume: retriedFrom(first.run), mode: 'retry', executionId: '2' }));
      expect(new Set(await keysOf())).toEqual(before);
      jsonOf(await older({ executionId: '3' }));
      expect(new Set(await keysOf()).size).toBe(before.size + 4);
    });
  });
});

describe("The user's own idempotency key", () => {
  const bytes = pdf('a');
  const upload = async (changes: Partial<NodeRun>, parameters: INodeParameters) =>
    await runAction(sandbox(), uploadTo(company(), parameters), changes);
  const uploads = async () => await requestsTo(sandbox(), 'POST', '/files');
  const keys = async (path: string) =>
    (await requestsTo(sandbox(), 'POST', path)).map(({ headers }) => headers['idempotency-key']);
  const own = { options: { idempotencyKey: '={{ $json.key }}' } };

  test('leaves as it is, once for the file and once for the document', async () => {
    const keyed = itemsWithFiles({
      json: { key: ' <mail-1@example.com> ' },
      files: { data: { bytes, name: 'x.pdf' } },
    });
    jsonOf(await upload({ input: keyed }, own));
    expect(await keys('/files')).toEqual(['<mail-1@example.com>:file']);
    expect(await keys('/documents')).toEqual(['<mail-1@example.com>:document']);
  });

  test('makes different executions do it once', async () => {
    const keyed = itemsWithFiles({ json: { key: 'a' }, files: { data: { bytes, name: 'x.pdf' } } });
    const [first] = jsonOf(await upload({ input: keyed }, own));
    const [second] = jsonOf(await upload({ input: keyed, executionId: '7' }, own));
    expect(second).toEqual(first);
  });

  test.each([
    ['a number', 42, '42:file'],
    ['letters beyond ASCII', 'März 🧾', 'M%C3%A4rz %F0%9F%A7%BE:file'],
    ['191 characters', 'k'.repeat(191), `${'k'.repeat(191)}:file`],
  ])('may be %s', async (_, key, sent) => {
    const keyed = itemsWithFiles({ json: { key }, files: { data: { bytes, name: 'x.pdf' } } });
    jsonOf(await upload({ input: keyed }, own));
    expect((await keys('/files'))[0]).toBe(sent);
  });

  test('is refused before anything is sent when it holds half an emoji', async () => {
    const keyed = itemsWithFiles({ json: { key: '\ud83e' }, files: { data: { bytes, name: 'x.pdf' } } });
    const { error } = await upload({ input: keyed }, own);
    expect(error?.message).toBe(
      'Idempotency Key contains half of a character, such as half of an emoji. [item 0]',
    );
    expect(await uploads()).toEqual([]);
  });

  test('is refused before anything is sent when it is too long', async () => {
    const keyed = itemsWithFiles({
      json: { key: 'k'.repeat(192) },
      files: { data: { bytes, name: 'x.pdf' } },
    });
    const { error } = await upload({ input: keyed }, own);
    expect(error?.message).toBe(
      'Idempotency Key is 201 characters long, including what the node adds. [item 0]',
    );
    expect(await uploads()).toEqual([]);
  });

  test.each(['document', 'file'])(
    'is refused for all files of a %s upload before the first is sent',
    async (resource) => {
      const key = 'k'.repeat(resource === 'file' ? 199 : 190);
      const keyed = itemsWithFiles({
        json: { key },
        files: { one: { bytes, name: 'x.pdf' }, two: { bytes: pdf('b'), name: 'y.pdf' } },
      });
      const { error } = await upload({ input: keyed }, { ...own, resource, binaryPropertyName: '*' });
      expect(error?.message).toBe(
        'Idempotency Key is 201 characters long, including what the node adds. [item 0]',
      );
      expect(await uploads()).toEqual([]);
    },
  );

  test('for a different file is told as what it is', async () => {
    const keyed = itemsWithFiles(
      { json: { key: 'a' }, files: { data: { bytes: pdf('1'), name: 'x.pdf' } } },
      { json: { key: 'a' }, files: { data: { bytes: pdf('2'), name: 'y.pdf' } } },
    );
    const { error } = await upload({ input: keyed }, { options: { ...own.options, concurrency: 1 } });
    expect(error?.message).toBe('The idempotency key was already used for a different request. [item 1]');
  });
});
