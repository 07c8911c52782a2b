import { sha256 } from '../../../sandbox/ids';
import type { Company } from '../../../sandbox/records';
import { first } from '../../support/sandbox/pages';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

const list = (path = '/companies') => sandbox().call({ path });

describe('faults', () => {
  test('of a status hit as many fitting requests as planned', async () => {
    await sandbox().control('faults', [
      { fault: 'status', status: 503, times: 2, method: 'GET', path: '/companies' },
      { fault: 'status', code: 'RATE_LIMITED', retryAfter: 7, times: 1, path: '/api/v1/documents*' },
    ]);
    const answers = [
      await list(),
      await list('/documents'),
      await list(),
      await list(),
      await list('/documents'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 429, 503, 200, 200]);
    expect(answers[0]?.body.error.code).toBe('STORAGE_UNAVAILABLE');
    expect(answers[1]?.headers.get('retry-after')).toBe('7');
  });

  test('are cleared by an empty list', async () => {
    await sandbox().control('faults', [{ fault: 'status', times: 5 }]);
    expect((await list()).status).toBe(500);
    await sandbox().control('faults', []);
    expect((await list()).status).toBe(200);
  });

  test('break the connection before or after the work', async () => {
    const company = await first<Company>(sandbox(), '/companies');
    const path = `/companies/${company.id}`;
    const read = async () => (await sandbox().call<Company>({ path })).body.address;
    for (const [fault, address] of [
      ['reset-before', company.address],
      ['reset-after', 'reset-after'],
    ]) {
      await sandbox().control('faults', [{ fault, times: 1, method: 'PATCH', path: '/companies/*' }]);
      const call = { method: 'PATCH', path, body: { address: fault } };
      await expect(sandbox().call(call)).rejects.toThrow('fetch failed');
      expect(await read()).toBe(address);
    }
    const statuses = (await sandbox().requests()).filter(({ method }) => method === 'PATCH');
    expect(statuses.map(({ status }) => status)).toEqual([null, null]);
  });

  test('hold an answer back', async () => {
    await sandbox().control('faults', [{ fault: 'delay', delayMs: 250, times: 1 }]);
    const started = performance.now();
    await list();
    expect(performance.now() - started).toBeGreaterThan(240);
  });

  test.each([
    [[{ fault: 'fire', times: 1 }]],
    [[{ fault: 'status' }]],
    [[{ fault: 'delay', times: 0 }]],
    [[{ fault: 'delay', times: 1 }]],
    [[{ fault: 'delay', times: 1, delayMs: 2 ** 31 }]],
    [[{ fault: 'status', times: 1, retryAfter: 'a\nb' }]],
    [{}],
  ])('are refused as %j', async (plan) => {
    await expect(sandbox().control('faults', plan)).rejects.toThrow('400');
  });
});

test('the request log tells what arrived, and no key', async () => {
  const bytes = Buffer.from('sisu');
  const { keys } = sandbox();
  await sandbox().call({
    method: 'POST',
    path: '/files',
    query: { filename: 'a.txt' },
    body: bytes,
    headers: { 'content-type': 'text/plain', 'x-mine': 'yes' },
  });
  await sandbox().call({ method: 'PATCH', path: '/companies/nobody', body: { a: 1 } });
  const requests = await sandbox().requests();
  expect(requests).toMatchObject([
    {
      method: 'POST',
      path: '/api/v1/files',
      query: { filename: 'a.txt' },
      headers: { 'content-type': 'text/plain', 'x-mine': 'yes' },
      bodyLength: 4,
      bodySha256: sha256(bytes),
      status: 201,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    },
    { method: 'PATCH', path: '/api/v1/companies/nobody', bodySha256: sha256('{"a":1}'), status: 422 },
  ]);
  for (const key of Object.values(keys)) expect(JSON.stringify(requests)).not.toContain(key);
});

test('the request log tells the body of what is refused before it is read', async () => {
  const body = Buffer.alloc(300_000, 'sisu');
  const call = { method: 'POST', path: '/files', query: { filename: 'a.txt' }, body };
  await sandbox().control('faults', [
    { fault: 'status', status: 503, times: 1 },
    { fault: 'reset-before', times: 1 },
  ]);
  expect((await sandbox().call(call)).status).toBe(503);
  await expect(sandbox().call(call)).rejects.toThrow('fetch failed');
  const { readonly } = sandbox().keys;
  const small = { ...call, body: Buffer.from('sisu') };
  expect((await sandbox().call({ ...small, key: null })).status).toBe(401);
  expect((await sandbox().call({ ...small, key: readonly })).status).toBe(403);
  expect((await sandbox().call({ ...small, query: {} })).status).toBe(400);
  expect((await sandbox().call({ ...small, query: { filename: 'a.exe' } })).status).toBe(415);
  expect((await sandbox().call({ ...small, path: '/nowhere' })).status).toBe(404);
  expect((await sandbox().call({ ...small, method: 'PUT' })).status).toBe(405);
  const large = { bodyLength: body.length, bodySha256: sha256(body) };
  const little = { bodyLength: 4, bodySha256: sha256(small.body) };
  expect(await sandbox().requests()).toMatchObject([
    { status: 503, ...large },
    { status: null, ...large },
    ...[401, 403, 400, 415, 404, 405].map((status) => ({ status, ...little })),
  ]);
});

test.each([
  ['clock', { advanceSeconds: 1e13 }],
  ['events', { count: 1, over: 1e18 }],
])('%s takes no time beyond ten years, and is as before', async (route, body) => {
  await expect(sandbox().control(route, body)).rejects.toThrow('400');
  expect((await sandbox().call({ path: '/companies' })).status).toBe(200);
});

describe('the control routes', () => {
  const post = (route: string, body?: string, headers: Record<string, string> = {}) =>
    fetch(`${sandbox().url}/_sandbox/${route}`, { method: 'POST', body, headers });

  test('take JSON whatever it says to be, and nothing as an empty object', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post('clock', '{"advanceSeconds": 1}', form)).status).toBe(200);
    expect((await post('clock', '{"advanceSeconds": 1}')).status).toBe(200);
    expect((await post('reset')).status).toBe(200);
    expect((await post('reset', '', { 'content-type': 'application/json' })).status).toBe(200);
    expect((await post('clock')).status).toBe(400);
  });

  test('say when a body is not JSON', async () => {
    const answer = await post('clock', '{"advance');
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      {
        error: {
          code: 'VALIDATION_ERROR',
          details: { issues: [{ message: expect.stringContaining('not JSON') }] },
        },
      },
    ]);
  });
});
