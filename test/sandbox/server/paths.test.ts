import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 10 });

const ask = (path: string, key?: string, method = 'GET', body?: unknown) =>
  sandbox().call({ method, path, key, body });

const UNFIT = [
  ['that cannot be decoded', '%zz'],
  ['that ends within an escape', 'cmp_0001%2'],
  ['that is not UTF-8', '%ff%fe'],
  ['of 201 characters', 'x'.repeat(201)],
  ['of 6,000 characters', 'x'.repeat(6000)],
  ['of 15,000 characters', 'x'.repeat(15_000)],
] as const;

describe.each(UNFIT)('an id %s', (_what, id) => {
  test('is refused as one that does not fit, at every operation', async () => {
    for (const [method, path, body] of [
      ['GET', `/companies/${id}`],
      ['PATCH', `/companies/${id}`, {}],
      ['GET', `/companies/${id}/settings`],
      ['GET', `/files/${id}/content`],
      ['POST', `/tasks/${id}/result`, { status: 'ok' }],
      ['DELETE', `/webhook-endpoints/${id}`],
    ] as const) {
      const answer = await ask(path, undefined, method, body);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: 'id' }] },
      });
    }
  });

  test('comes after the plan, the key, and its scope', async () => {
    const { readonly, revoked } = sandbox().keys;
    const path = `/companies/${id}`;
    const refusals = [await ask(path, revoked), await ask(path, readonly, 'PATCH', {})];
    await sandbox().control('plan', { apiAccess: false });
    refusals.push(await ask(path), await ask(path, revoked));
    expect(refusals.map(({ body }) => body.error.code)).toEqual([
      'INVALID_API_KEY',
      'INSUFFICIENT_SCOPE',
      'FEATURE_NOT_INCLUDED',
      'FEATURE_NOT_INCLUDED',
    ]);
  });

  test('is in the request log as it was sent, and is hit by faults', async () => {
    await sandbox().control('faults', [{ fault: 'status', status: 503, times: 1, path: '/companies/*' }]);
    expect((await ask(`/companies/${id}?a=1`)).status).toBe(503);
    expect((await ask(`/companies/${id}`)).status).toBe(400);
    const path = `/api/v1/companies/${id}`;
    expect(await sandbox().requests()).toMatchObject([
      { method: 'GET', path, query: { a: '1' }, status: 503 },
      { method: 'GET', path, query: {}, status: 400 },
    ]);
  });

  test('does not make a path known, nor another method', async () => {
    expect((await ask(`/nothing/${id}`)).status).toBe(404);
    const answer = await ask(`/companies/${id}`, undefined, 'DELETE');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, PATCH']);
  });
});

test.each([
  ['with an escape that needs none', '/api/v1/%63ompanies/%63mp_0001'],
  ['with an escape in small letters', '/api/v1/companies/cmp%5f0001'],
  ['with an escape in the root of the API', '/api/%76%31/companies/cmp_0001'],
])('a path %s is the same path, with all that goes for it', async (_what, path) => {
  const authorization = `Bearer ${sandbox().keys.full}`;
  const read = () => fetch(`${sandbox().url}${path}`, { headers: { authorization } });
  expect(await (await read()).json()).toMatchObject({ id: 'cmp_0001' });
  await sandbox().control('plan', { apiAccess: false });
  expect((await read()).status).toBe(403);
  expect((await sandbox().requests()).map(({ status }) => status)).toEqual([200, 403]);
});

test.each(['/companies/', '/companies//settings', '/documents/'])('%s is an unknown path', async (path) => {
  for (const method of ['GET', 'PATCH'])
    expect([method, (await ask(path, undefined, method)).status]).toEqual([method, 404]);
});

test('an id may hold what a path may not', async () => {
  for (const id of ['a/b', 'a?b', 'a%zz', 'õ', 'a b', '..%2f..']) {
    const answer = await ask(`/companies/${encodeURIComponent(id)}`);
    expect([id, answer.status]).toEqual([id, 404]);
  }
});
