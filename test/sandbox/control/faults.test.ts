import type { Company } from '../../../sandbox/records';
import { first } from '../../support/sandbox/pages';
import { useSandbox, type ApiCall } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 10 });

const file = (more: Partial<ApiCall> = {}): ApiCall => ({
  method: 'POST',
  path: '/files',
  query: { filename: 'a.txt' },
  body: Buffer.from('a'),
  ...more,
});

/** Requests that are refused, each at another step of its way. */
const REFUSED: [number, string, () => ApiCall][] = [
  [401, 'no key', () => ({ path: '/companies', key: null })],
  [401, 'no key, with a body', () => file({ key: null })],
  [403, 'a scope that is missing', () => file({ key: sandbox().keys.readonly })],
  [400, 'a parameter that does not fit', () => ({ path: '/companies', query: { limit: 0 } })],
  [400, 'a path that cannot be decoded', () => ({ path: '/companies/%zz' })],
  [422, 'a body that does not fit', () => ({ method: 'PATCH', path: '/companies/x', body: { a: 1 } })],
  [404, 'a record that does not exist', () => ({ path: '/companies/nobody' })],
  [404, 'an unknown path', () => ({ path: '/nothing' })],
  [405, 'another method', () => ({ method: 'DELETE', path: '/companies' })],
  [
    415,
    'a body that is no JSON',
    () => ({
      method: 'POST',
      path: '/documents',
      body: Buffer.from('a'),
      headers: { 'content-type': 'a/b' },
    }),
  ],
  [415, 'a program', () => file({ query: { filename: 'a.exe' } })],
  [
    413,
    'a JSON body that is too large',
    () => ({ method: 'POST', path: '/documents', body: ' '.repeat(5e6) }),
  ],
];

describe.each(REFUSED)('a request refused with %i for %s', (status, _what, call) => {
  test('is held back, once', async () => {
    await sandbox().control('faults', [{ fault: 'delay', delayMs: 300, times: 1 }]);
    const started = performance.now();
    expect((await sandbox().call(call())).status).toBe(status);
    expect(performance.now() - started).toBeGreaterThan(290);
    const { status: logged } = (await sandbox().requests())[0] ?? {};
    expect(logged).toBe(status);
  });

  test('is hit by every other fault', async () => {
    await sandbox().control('faults', [
      { fault: 'reset-before', times: 1 },
      { fault: 'reset-after', times: 1 },
      { fault: 'status', status: 503, times: 1 },
    ]);
    await expect(sandbox().call(call())).rejects.toThrow('fetch failed');
    await expect(sandbox().call(call())).rejects.toThrow('fetch failed');
    expect((await sandbox().call(call())).status).toBe(503);
    expect((await sandbox().call(call())).status).toBe(status);
  });
});

test('a request that the plan does not include is held back', async () => {
  await sandbox().control('plan', { apiAccess: false });
  await sandbox().control('faults', [{ fault: 'delay', delayMs: 300, times: 1 }]);
  const started = performance.now();
  expect((await sandbox().call({ path: '/companies' })).status).toBe(403);
  expect(performance.now() - started).toBeGreaterThan(290);
});

test('a request whose key is in use is held back', async () => {
  const { id } = await first<Company>(sandbox(), '/companies');
  const change = { method: 'PATCH', path: `/companies/${id}`, headers: { 'idempotency-key': 'k' } };
  await sandbox().control('faults', [
    { fault: 'delay', delayMs: 900, times: 1 },
    { fault: 'delay', delayMs: 300, times: 1 },
  ]);
  const times = await Promise.all(
    [1, 2].map(async () => {
      const started = performance.now();
      const { status } = await sandbox().call({ ...change, body: { address: 'x' } });
      return { status, ms: performance.now() - started };
    }),
  );
  const [done, refused] = times.sort((a, b) => a.status - b.status);
  expect([done?.status, refused?.status]).toEqual([200, 409]);
  expect(refused?.ms).toBeGreaterThan(290);
});

test('the contract takes no fault from others', async () => {
  await sandbox().control('faults', [{ fault: 'reset-before', times: 1 }]);
  expect((await fetch(`${sandbox().url}/api/v1/openapi.json`)).status).toBe(200);
  await expect(sandbox().call({ path: '/companies' })).rejects.toThrow('fetch failed');
});
