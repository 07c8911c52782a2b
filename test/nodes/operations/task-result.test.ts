import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, loggedBody, runAction } from '../../support/action/action';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

const parameters = (more: INodeParameters = {}): INodeParameters => ({
  resource: 'task',
  operation: 'submitResult',
  taskId: sandbox().tasks[0] ?? '',
  status: 'done',
  ...more,
});

async function sent() {
  return (await sandbox().requests()).map(({ method, path, headers, bodyLength, bodySha256, status }) => ({
    method,
    path,
    key: headers['idempotency-key'],
    bodyLength,
    bodySha256,
    status,
  }));
}

test('submits a status, under a key, and outputs the most used fields', async () => {
  const [taskId = ''] = sandbox().tasks;
  const result = await runAction(sandbox(), parameters({ taskId: ` ${taskId} ` }));
  expect(jsonOf(result)).toEqual([
    {
      id: taskId,
      type: expect.any(String),
      status: expect.any(String),
      resultStatus: 'done',
      companyId: expect.any(String),
      companyName: expect.any(String),
      subjectType: expect.any(String),
      subjectId: expect.any(String),
      attempt: expect.any(Number),
      completedAt: expect.any(String),
    },
  ]);
  expect(result.outputs[0]?.[0]?.pairedItem).toEqual({ item: 0 });
  expect(await sent()).toEqual([
    {
      method: 'POST',
      path: `/api/v1/tasks/${taskId}/result`,
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      ...loggedBody({ status: 'done' }),
      status: 200,
    },
  ]);
});

test('outputs the whole task on request', async () => {
  const [task] = jsonOf(await runAction(sandbox(), parameters({ output: 'all' })));
  expect(task).toMatchObject({ subject: { id: expect.any(String) }, instruction: expect.any(String) });
});

test('sends the other fields as a list of name and value, each value of its own type', async () => {
  const values = [
    { name: ' comment ', value: 'Kõik korras' },
    { name: 'amount', value: '={{ 12.5 }}' },
    { name: 'final', value: '={{ false }}' },
    { name: 'accounts', value: '={{ ["4000", "4010"] }}' },
    { name: 'number', value: '0042' },
    { name: 'empty', value: '' },
  ];
  jsonOf(await runAction(sandbox(), parameters({ otherFields: { values } })));
  const body = {
    comment: 'Kõik korras',
    amount: 12.5,
    final: false,
    accounts: ['4000', '4010'],
    number: '0042',
    empty: '',
    status: 'done',
  };
  expect(await sent()).toEqual([expect.objectContaining(loggedBody(body))]);
});

test.each([
  ['JSON text', '{ "amount": 12.5, "lines": [{ "account": "4000" }], "note": null }'],
  ['an object', '={{ { amount: 12.5, lines: [{ account: "4000" }], note: null } }}'],
])('sends the other fields as %s', async (_, otherFieldsJson) => {
  jsonOf(await runAction(sandbox(), parameters({ otherFieldsMode: 'json', otherFieldsJson })));
  const body = { amount: 12.5, lines: [{ account: '4000' }], note: null, status: 'done' };
  expect(await sent()).toEqual([expect.objectContaining(loggedBody(body))]);
});

test('takes an empty JSON field as no other fields', async () => {
  jsonOf(await runAction(sandbox(), parameters({ otherFieldsMode: 'json', otherFieldsJson: ' ' })));
  expect(await sent()).toEqual([expect.objectContaining(loggedBody({ status: 'done' }))]);
});

test('refuses by name what is not a result, before any request', async () => {
  const rows = (...values: INodeParameters[]) => ({ otherFields: { values } });
  const json = (otherFieldsJson: string) => ({ otherFieldsMode: 'json', otherFieldsJson });
  const refused: Array<[INodeParameters, string]> = [
    [{ taskId: "={{ '' }}" }, 'Task ID is empty.'],
    [{ taskId: 'x'.repeat(201) }, 'Task ID has 201 characters, but only 200 are allowed.'],
    [{ status: ' ' }, 'Status is empty.'],
    [rows({ name: 'status', value: 'done' }), 'Other Fields must not contain "status".'],
    [rows({ name: '', value: 'x' }), 'Name of Other Fields 1 is empty.'],
    [rows({ name: 'a', value: '1' }, { name: 'a', value: '2' }), 'Other Fields contain "a" twice.'],
    [json('{ "status": "done" }'), 'Other Fields (JSON) must not contain "status".'],
    [json('{ comment: 1 }'), 'Other Fields (JSON) must be a JSON object, not "{ comment: 1 }".'],
    [json('[1]'), 'Other Fields (JSON) must be a JSON object, not a list (1).'],
    [json('null'), 'Other Fields (JSON) must be a JSON object, not "null".'],
  ];
  for (const [changes, message] of refused) {
    const { error } = await runAction(sandbox(), parameters(changes));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await sandbox().requests()).toEqual([]);
});

test.each([
  ['NaN', 'a'],
  ['{ b: [1, Infinity] }', '1'],
  ['12345678901234567890', 'a'],
  ['{ b: $json.nope }', 'b'],
  ['[undefined]', '0'],
  ['new Date(NaN)', 'a'],
  ['new Map([[1, 2]])', 'a'],
  ['/x/', 'a'],
])('refuses the value %s, of which JSON makes another one or nothing', async (value, place) => {
  const ways: INodeParameters[] = [
    { otherFields: { values: [{ name: 'a', value: `={{ ${value} }}` }] } },
    { otherFieldsMode: 'json', otherFieldsJson: `={{ { a: ${value} } }}` },
  ];
  for (const [index, way] of ways.entries()) {
    const { error } = await runAction(sandbox(), parameters(way));
    const field = ['Other Fields', 'Other Fields (JSON)'][index];
    expect(error?.message).toBe(
      `${field} contain a value that cannot be sent as JSON, in "${place}". [item 0]`,
    );
  }
  expect(await sandbox().requests()).toEqual([]);
});

test('sends dates as the texts that they are in JSON', async () => {
  const value = '={{ [new Date(0), DateTime.fromISO("2024-03-31", { zone: "utc" })] }}';
  jsonOf(await runAction(sandbox(), parameters({ otherFields: { values: [{ name: 'a', value }] } })));
  const a = ['1970-01-01T00:00:00.000Z', '2024-03-31T00:00:00.000Z'];
  expect(await sent()).toEqual([expect.objectContaining(loggedBody({ a, status: 'done' }))]);
});

test.each(['new Date()', '$now', 'new Map()'])('refuses %s as the other fields', async (value) => {
  const { error } = await runAction(
    sandbox(),
    parameters({ otherFieldsMode: 'json', otherFieldsJson: `={{ ${value} }}` }),
  );
  expect(error?.message).toMatch(/^Other Fields \(JSON\) must be a JSON object, not an? /);
  expect(await sandbox().requests()).toEqual([]);
});

test('takes each value from its own item, and the first result of a task counts', async () => {
  const [first = '', second = ''] = sandbox().tasks;
  const input = [
    { json: { id: first, status: 'done' } },
    { json: { id: second, status: 'failed' } },
    { json: { id: first, status: 'late' } },
  ];
  const { outputs } = await runAction(
    sandbox(),
    parameters({ taskId: '={{ $json.id }}', status: '={{ $json.status }}' }),
    { input, onError: 'continueErrorOutput' },
  );
  expect(outputs[0]?.map(({ json, pairedItem }) => [json.id, json.resultStatus, pairedItem])).toEqual([
    [first, 'done', { item: 0 }],
    [second, 'failed', { item: 1 }],
  ]);
  expect(outputs[1]).toEqual([
    expect.objectContaining({
      json: expect.objectContaining({ details: expect.objectContaining({ code: 'CONFLICT' }) }),
      pairedItem: { item: 2 },
    }),
  ]);
});

test('hands a result in once although the connection breaks after it was taken', async () => {
  await sandbox().control('faults', [
    { method: 'POST', path: '/tasks/*/result', times: 1, fault: 'reset-after' },
  ]);
  const [task] = jsonOf(await runAction(sandbox(), parameters()));
  expect(task).toMatchObject({ resultStatus: 'done' });
  const [one, two] = await sent();
  expect(two).toMatchObject({ key: one?.key, bodySha256: one?.bodySha256, status: 200 });
});

test('sends the key that the user gives', async () => {
  jsonOf(await runAction(sandbox(), parameters({ options: { idempotencyKey: 'task-7' } })));
  expect(await sent()).toEqual([expect.objectContaining({ key: 'task-7' })]);
});
