import { useSandbox, type ApiErrorBody } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ rateLimit: 5 });

test.each([
  ['/nothing', 404, 'NOT_FOUND', null],
  ['/companies/', 404, 'NOT_FOUND', null],
  ['/', 404, 'NOT_FOUND', null],
  ['/companies', 405, 'METHOD_NOT_ALLOWED', 'GET'],
  ['/companies/x', 405, 'METHOD_NOT_ALLOWED', 'GET, PATCH'],
  ['/company-periods', 405, 'METHOD_NOT_ALLOWED', 'GET'],
])('DELETE %s answers %i', async (path, status, code, allow) => {
  const answer = await sandbox().call({ method: 'DELETE', path });
  expect([answer.status, answer.body.error.code, answer.headers.get('allow')]).toEqual([status, code, allow]);
});

test.each([
  ['HEAD', '/companies'],
  ['OPTIONS', '/companies'],
])('%s %s is another method', async (method, path) => {
  const response = await fetch(`${sandbox().url}/api/v1${path}`, { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
});

test.each([
  ['{"fileId": ', 'application/json', 400, 'VALIDATION_ERROR'],
  ['', 'application/json', 422, 'VALIDATION_ERROR'],
  ['null', 'application/json', 422, 'VALIDATION_ERROR'],
  ['"{}"', 'application/json', 422, 'VALIDATION_ERROR'],
  ['[]', 'application/json', 422, 'VALIDATION_ERROR'],
  ['{}', undefined, 422, 'VALIDATION_ERROR'],
  ['{}', 'application/json; charset=utf-8', 422, 'VALIDATION_ERROR'],
  ['a=b', 'application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['{}', 'no type', 415, 'UNSUPPORTED_MEDIA_TYPE'],
])('the body %s as %s is refused with %i', async (text, type, status, code) => {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  const call = { method: 'POST', path: '/documents', body: Buffer.from(text), headers };
  const answer = await sandbox().call(call);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  if (code === 'VALIDATION_ERROR') expect(answer.body.error.details?.issues?.length).toBeGreaterThan(0);
});

test('every request has an id of its own', async () => {
  const ids = new Set<string | null>();
  for (let index = 0; index < 3; index += 1) {
    ids.add((await sandbox().call({ path: '/companies', key: null })).headers.get('x-request-id'));
  }
  expect(ids.size).toBe(3);
});

test('the contract is served to everybody, for this address', async () => {
  const response = await fetch(`${sandbox().url}/api/v1/openapi.json`);
  expect(await response.json()).toMatchObject({
    openapi: '3.1.0',
    info: { version: '1' },
    servers: [{ url: `${sandbox().url}/api/v1` }],
  });
});

test.each([['/api/v1/openapi.json'], ['/.well-known/oauth-protected-resource']])(
  '%s takes no other method',
  async (path) => {
    const response = await fetch(`${sandbox().url}${path}`, { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await response.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
  },
);

test.each([
  ['/_sandbox/reset', 'POST'],
  ['/_sandbox/approvals/apr_1/decide', 'POST'],
  ['/_sandbox/requests', 'GET'],
  ['/admin', 'GET'],
  ['/admin/approvals/apr_1', 'GET, POST'],
])('the path %s of the sandbox itself knows %s, and says so to others', async (path, allow) => {
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
    (method) => !allow.split(', ').includes(method),
  );
  for (const method of others) {
    const response = await fetch(`${sandbox().url}${path}`, { method });
    expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, allow]);
    const answer = await response.text();
    if (method !== 'HEAD')
      expect(JSON.parse(answer)).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
  }
});

test.each(['/_sandbox', '/_sandbox/nothing', '/admin/', '/admin/approvals'])(
  '%s is no path, whatever the method',
  async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await fetch(`${sandbox().url}${path}`, { method });
      expect([method, response.status]).toEqual([method, 404]);
    }
  },
);

describe('the rate limit', () => {
  const list = (key?: string) => sandbox().call<Partial<ApiErrorBody>>({ path: '/companies', key });

  test('answers 429 with Retry-After: 60, for this key alone, until the minute is over', async () => {
    for (let index = 0; index < 5; index += 1) expect((await list()).status).toBe(200);
    const { status, headers, body } = await list();
    expect([status, headers.get('retry-after'), body.error?.code]).toEqual([429, '60', 'RATE_LIMITED']);
    expect((await list(sandbox().keys.other)).status).toBe(200);
    expect((await list(sandbox().token)).status).toBe(200);
    await sandbox().control('clock', { advanceSeconds: 40 });
    await sandbox().control('faults', [{ fault: 'delay', delayMs: 250, times: 1 }]);
    const started = performance.now();
    expect((await list()).status).toBe(429);
    expect(performance.now() - started).toBeGreaterThan(240);
    await sandbox().control('clock', { advanceSeconds: 21 });
    expect((await list()).status).toBe(200);
  });
});
