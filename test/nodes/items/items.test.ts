import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action/action';
import { useSandbox } from '../../support/sandbox/sandbox';
import { fastTime } from '../../support/time/time';
import { until } from '../../support/time/until';
import { requestsTo, trail, useDocuments } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 30, rateLimit: 'off' });
fastTime(sandbox);
const ids = useDocuments(sandbox);

const getEach = (options: INodeParameters = {}): INodeParameters => ({
  resource: 'document',
  operation: 'get',
  documentId: '={{ $json.id }}',
  output: 'simplified',
  options,
});

const itemsOf = (wanted: unknown[]) => wanted.map((id) => ({ json: { id: String(id), kept: 'input' } }));

const slow = (id: string | undefined, delayMs: number) => ({
  method: 'GET',
  path: `/documents/${id}`,
  times: 1,
  fault: 'delay',
  delayMs,
});

describe('Items at the same time', () => {
  test.each([1, 5, 20])('%i at a time come out in order, each paired to its own', async (concurrency) => {
    await sandbox().control(
      'faults',
      ids()
        .slice(0, 20)
        .map((id, index) => slow(id, (20 - index) * 4)),
    );
    const { outputs } = await runAction(sandbox(), getEach({ concurrency }), { input: itemsOf(ids()) });
    expect(outputs[0]?.map(({ json }) => json.id)).toEqual(ids());
    expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(ids().map((_, item) => ({ item })));
  });

  test('are five if nothing else is said: the sixth starts when one of them has ended', async () => {
    await sandbox().control(
      'faults',
      ids()
        .slice(0, 5)
        .map((id) => slow(id, 400)),
    );
    const running = runAction(sandbox(), getEach(), { input: itemsOf(ids().slice(0, 12)) });
    await until('five requests', async () => (await trail(sandbox())).length >= 5);
    const together = await trail(sandbox());
    expect(together).toHaveLength(5);
    expect(jsonOf(await running)).toHaveLength(12);
  });

  test.each([0, 21, 2.5, 'many'])('cannot be %p', async (concurrency) => {
    const { error } = await runAction(sandbox(), getEach({ concurrency }), { input: itemsOf(ids()) });
    expect(error?.message).toBe(
      `Concurrency must be a whole number from 1 to 20, not ${JSON.stringify(concurrency)}. [item 0]`,
    );
    expect(await trail(sandbox())).toEqual([]);
  });

  test('that write to one record do so in the order of the items', async () => {
    const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/companies' });
    const company = body.data[0]?.id;
    const path = `/companies/${company}`;
    await sandbox().control('faults', [{ method: 'PATCH', path, times: 1, fault: 'delay', delayMs: 150 }]);
    const names = Array.from({ length: 8 }, (_, index) => `name ${index}`);
    const documents = jsonOf(
      await runAction(
        sandbox(),
        {
          resource: 'company',
          operation: 'update',
          companyId: { __rl: true, mode: 'id', value: company ?? '' },
          updateFields: { shortName: '={{ $json.name }}' },
          output: 'simplified',
          options: { concurrency: 8 },
        },
        { input: names.map((name) => ({ json: { name } })) },
      ),
    );
    expect(documents.map((one) => Object(one).shortName)).toEqual(names);
    const after = await sandbox().call<{ shortName: string }>({ path });
    expect(after.body.shortName).toBe('name 7');
  });
});

describe('An item that does not succeed', () => {
  const good0 = () => ids()[0];
  const good2 = () => ids()[2];

  test('goes to the error output, its neighbours to the other, each paired', async () => {
    const { outputs, error } = await runAction(sandbox(), getEach(), {
      input: itemsOf([good0(), 'doc_none', good2()]),
      onError: 'continueErrorOutput',
    });
    expect(error).toBeUndefined();
    const [successes = [], failures = []] = outputs;
    expect(successes.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
      [good0(), { item: 0 }],
      [good2(), { item: 2 }],
    ]);
    expect(failures).toHaveLength(1);
    expect(failures[0]?.pairedItem).toEqual({ item: 1 });
    expect(failures[0]?.json).toMatchObject({
      kept: 'input',
      error: expect.stringMatching(/^Document "doc_none" not found, or the key has no access to it\.$/),
      message: expect.stringMatching(/^Document .* not found.*Check the ID/s),
      details: { status: 404, code: 'NOT_FOUND', requestId: expect.stringMatching(/^req_/) },
    });
  });

  test('comes out in its place when the node goes on in the regular output', async () => {
    const { outputs } = await runAction(sandbox(), getEach(), {
      input: itemsOf([good0(), ' ', good2()]),
      onError: 'continueRegularOutput',
    });
    expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
    expect(outputs[0]?.[1]?.json).toEqual({
      error: 'Document ID is empty.',
      message: 'Document ID is empty. Enter Document ID, or an expression that returns it.',
      details: { field: 'Document ID', hint: 'Enter Document ID, or an expression that returns it.' },
    });
  });

  test.each([
    [
      'an address that is none',
      { credential: { address: 'no where', token: 'k' } },
      {},
      'Agency Address is not a web address such as https://agency.example.',
    ],
    ['a bad concurrency', {}, { options: { concurrency: 99 } }, 'Concurrency must be a whole number'],
    [
      'an unknown operation',
      {},
      { operation: 'burn' },
      'This version of the node has no operation "burn" of "document".',
    ],
  ])('with %s fails every item, on the error output', async (_, changes, parameters, words) => {
    const { outputs } = await runAction(
      sandbox(),
      { ...getEach(), ...parameters },
      { input: itemsOf(ids().slice(0, 3)), onError: 'continueErrorOutput', ...changes },
    );
    expect(outputs[0]).toEqual([]);
    expect(outputs[1]?.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
      [0, 1, 2].map((item) => [expect.stringContaining(words), { item }]),
    );
  });

  test('stops the node: nothing new is started, what runs may end', async () => {
    await sandbox().control('faults', [slow(ids()[0], 200)]);
    const input = itemsOf([ids()[0], 'doc_none', ...ids().slice(1)]);
    const { error } = await runAction(sandbox(), getEach({ concurrency: 2 }), { input });
    expect(error?.message).toMatch(/\[item 1\]$/);
    expect(error?.context?.itemIndex).toBe(1);
    expect(await trail(sandbox())).toHaveLength(2);
    expect((await sandbox().requests()).map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test('with a lower number is the one that is told', async () => {
    await sandbox().control('faults', [slow('doc_none_0', 150), slow('doc_none_2', 50)]);
    const input = itemsOf(['doc_none_0', 'doc_none_1', 'doc_none_2', ...ids()]);
    const { error } = await runAction(sandbox(), getEach({ concurrency: 3 }), { input });
    expect(error?.message).toMatch(/\[item 0\]$/);
    expect(await trail(sandbox())).toHaveLength(3);
  });

  test('holds back what waits for its turn at the same record', async () => {
    const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/companies' });
    const company = body.data[0]?.id ?? '';
    const path = `/companies/${company}`;
    const fault = { method: 'PATCH', path, times: 1, fault: 'status', status: 403, code: 'FORBIDDEN' };
    await sandbox().control('faults', [fault]);
    const { error } = await runAction(
      sandbox(),
      {
        resource: 'company',
        operation: 'update',
        companyId: { __rl: true, mode: 'id', value: company },
        updateFields: { shortName: '={{ $json.name }}' },
        output: 'simplified',
        options: { concurrency: 5 },
      },
      { input: ['a', 'b', 'c'].map((name) => ({ json: { name } })) },
    );
    expect(error?.message).toMatch(/^The agency does not allow this with the key.*\[item 0\]$/);
    expect(await requestsTo(sandbox(), 'PATCH', path)).toHaveLength(1);
  });

  test('keeps the words of the agency, whatever n8n makes of them', async () => {
    const { error } = await runAction(sandbox(), getEach(), { input: itemsOf(['preexisting']) });
    expect(error?.message).toMatch(/^Document "preexisting" not found/);
  });
});

describe('Operations that this version does not have', () => {
  test.each([
    [{ resource: '__CUSTOM_API_CALL__' }, 'This node does not make custom API calls.', 'HTTP Request node'],
    [{ operation: '__CUSTOM_API_CALL__' }, 'This node does not make custom API calls.', 'HTTP Request node'],
    [
      { operation: 'burn' },
      'This version of the node has no operation "burn" of "document".',
      'Select a resource',
    ],
    [{ resource: 'ledger' }, 'This version of the node has no resource "ledger".', 'Select a resource'],
  ])('%p', async (parameters, message, resolution) => {
    const { error } = await runAction(sandbox(), { ...getEach(), ...parameters });
    expect(error?.message).toBe(message);
    expect(error?.description).toContain(resolution);
  });
});
