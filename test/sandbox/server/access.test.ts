import { generateKeyPair, SignJWT } from 'jose';
import { SCOPES } from '../../../sandbox/access/scopes';
import type { Company, Scope } from '../../../sandbox/records';
import { first, readAll } from '../../support/sandbox/pages';
import { useSandbox, type ApiCall, type ApiErrorBody } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

const list = (key: string | null, path = '/companies') => sandbox().call({ path, key });

/** A token of the sandbox with some claims changed, signed by somebody else. */
async function forged(claims: object, alg = 'ES256'): Promise<string> {
  const { privateKey } = await generateKeyPair(alg);
  const [, payload = ''] = sandbox().token.split('.');
  const known = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return new SignJWT({ ...known, ...claims }).setProtectedHeader({ alg }).sign(privateKey);
}

describe('a key', () => {
  test.each(['revoked', 'expired', 'foreign'] as const)('that is %s is not valid', async (name) => {
    const { status, body } = await list(sandbox().keys[name]);
    expect([status, body.error.code]).toEqual([401, 'INVALID_API_KEY']);
  });

  test.each([
    ['none', undefined],
    ['an unknown one', 'Bearer aa_live_unknown'],
    ['one without Bearer', 'KEY'],
    ['one as Basic', 'Basic KEY'],
    ['none after Bearer', 'Bearer '],
    ['two', 'Bearer KEY KEY'],
  ])('given as %s is not valid', async (_what, authorization) => {
    const value = authorization?.replaceAll('KEY', sandbox().keys.full);
    const headers: Record<string, string> = value === undefined ? {} : { authorization: value };
    const { status, body } = await sandbox().call({ path: '/companies', key: null, headers });
    expect([status, body.error.code]).toEqual([401, 'INVALID_API_KEY']);
  });

  test('is the same after a reset', async () => {
    await sandbox().control('reset');
    expect((await list(sandbox().keys.full)).status).toBe(200);
  });

  test('is made with the scopes and companies that are wanted', async () => {
    const company = await first<Company>(sandbox(), '/companies');
    const key = await sandbox().newKey(['companies:read'], [company.id]);
    expect(await readAll(sandbox(), '/companies', {}, key)).toEqual([company]);
    expect((await list(key, '/documents')).status).toBe(403);
    await expect(sandbox().control('keys', { scopes: ['all'], companies: 'all' })).rejects.toThrow('400');
    await expect(sandbox().newKey([], ['no-such'])).rejects.toThrow('404');
  });
});

describe('an access token', () => {
  test('may do what the key "full" may', async () => {
    expect((await list(sandbox().token)).status).toBe(200);
    const path = `/tasks/${sandbox().tasks[0]}/result`;
    const call = { method: 'POST', path, body: { status: 'done' }, key: sandbox().token };
    expect((await sandbox().call(call)).status).toBe(200);
  });

  test('survives a reset', async () => {
    await sandbox().control('reset');
    expect((await list(sandbox().token)).status).toBe(200);
  });

  test('expires by the clock', async () => {
    await sandbox().control('clock', { advanceSeconds: 366 * 24 * 3600 });
    expect((await list(sandbox().token)).status).toBe(401);
  });

  test('signed by somebody else, or altered, is not valid', async () => {
    const [head, payload, signature = ''] = sandbox().token.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const tokens = [
      await forged({}),
      await forged({}, 'RS256'),
      `${none}.${payload}.`,
      `${head}.${payload}.${signature.slice(4)}AAAA`,
      `${head}.${Buffer.from('{}').toString('base64url')}.${signature}`,
      'a.b.c',
    ];
    for (const token of tokens) expect((await list(token)).status).toBe(401);
  });

  test('belongs to the resource that is published', async () => {
    const response = await fetch(`${sandbox().url}/.well-known/oauth-protected-resource`);
    expect(await response.json()).toMatchObject({
      resource: sandbox().url,
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
    });
    const [, payload = ''] = sandbox().token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(claims.aud).toBe(sandbox().url);
  });
});

const CALLS: [Scope, ApiCall][] = [
  ['companies:read', { path: '/companies' }],
  ['companies:read', { path: '/companies/ID' }],
  ['companies:write', { method: 'PATCH', path: '/companies/ID', body: {} }],
  ['companies:read', { path: '/companies/ID/settings' }],
  ['companies:write', { method: 'PATCH', path: '/companies/ID/settings', body: {} }],
  ['companies:read', { path: '/companies/ID/playbook' }],
  ['companies:write', { method: 'PUT', path: '/companies/ID/playbook', body: { markdown: '' } }],
  ['documents:read', { path: '/documents' }],
  ['documents:write', { method: 'POST', path: '/documents', body: { fileId: 'x', companyId: 'x' } }],
  ['documents:read', { path: '/documents/x' }],
  ['documents:read', { path: '/documents/x/content' }],
  [
    'documents:write',
    { method: 'POST', path: '/files', query: { filename: 'a.pdf' }, body: Buffer.from('x') },
  ],
  ['documents:read', { path: '/files/x' }],
  ['documents:read', { path: '/files/x/content' }],
  ['work:read', { path: '/company-periods', query: { period: '2026-01' } }],
  ['tasks:write_result', { method: 'POST', path: '/tasks/x/result', body: { status: 'x' } }],
  ['events:read', { path: '/events' }],
  [
    'webhooks:manage',
    { method: 'POST', path: '/webhook-endpoints', body: { url: 'https://x.example', eventTypes: ['*'] } },
  ],
  ['webhooks:manage', { method: 'POST', path: '/webhook-endpoints/x/test' }],
  ['webhooks:manage', { path: '/webhook-endpoints/x/deliveries' }],
  ['webhooks:manage', { method: 'PATCH', path: '/webhook-endpoints/x', body: {} }],
  ['webhooks:manage', { method: 'DELETE', path: '/webhook-endpoints/x' }],
];

test.each(CALLS)('the scope %s is needed, and enough, for %j', async (scope, call) => {
  const company = await first<Company>(sandbox(), '/companies');
  const target = { ...call, path: call.path.replace('ID', company.id) };
  const key = await sandbox().newKey(SCOPES.filter((other) => other !== scope));
  const { status, body } = await sandbox().call({ ...target, key });
  expect([status, body.error.code, body.error.details?.requiredScopes]).toEqual([
    403,
    'INSUFFICIENT_SCOPE',
    [scope],
  ]);
  const allowed = await sandbox().call<Partial<ApiErrorBody>>({
    ...target,
    key: await sandbox().newKey([scope]),
  });
  expect([401, 403]).not.toContain(allowed.status);
});

test('the key "readonly" may read, and nothing else', async () => {
  const key = sandbox().keys.readonly;
  const paths = ['/companies', '/documents', '/events', `/company-periods?period=${sandbox().period}`];
  for (const path of paths) expect((await list(key, path)).status).toBe(200);
  const company = await first<Company>(sandbox(), '/companies');
  const call = { method: 'PATCH', path: `/companies/${company.id}`, body: {}, key };
  expect((await sandbox().call(call)).status).toBe(403);
});

test('a key for one company finds nothing of others', async () => {
  const key = sandbox().keys.singleCompany;
  const [own] = await readAll<Company>(sandbox(), '/companies', {}, key);
  const all = await readAll<Company>(sandbox(), '/companies');
  const other = all.find(({ id }) => id !== own?.id)?.id ?? '';
  const calls: ApiCall[] = [
    { path: `/companies/${other}` },
    { path: `/companies/${other}/settings` },
    { path: `/companies/${other}/playbook` },
    { method: 'PATCH', path: `/companies/${other}`, body: {} },
    { method: 'PATCH', path: `/companies/${other}/settings`, body: {} },
    { method: 'PUT', path: `/companies/${other}/playbook`, body: { markdown: '' } },
  ];
  for (const call of calls) {
    const { status, body } = await sandbox().call({ ...call, key });
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  }
  for (const path of ['/documents', '/events']) {
    const { status, body } = await sandbox().call({ path, query: { companyId: other }, key });
    expect([status, body.error.code]).toEqual([403, 'COMPANY_ACCESS_DENIED']);
  }
});

test("without the feature in the agency's plan nothing is answered", async () => {
  await sandbox().control('plan', { apiAccess: false });
  for (const key of [sandbox().keys.full, sandbox().keys.revoked, null]) {
    const { status, body } = await list(key);
    expect([status, body.error.code]).toEqual([403, 'FEATURE_NOT_INCLUDED']);
    expect(body.error.details?.feature).toBe('API and MCP access');
  }
  expect((await fetch(`${sandbox().url}/api/v1/openapi.json`)).status).toBe(200);
  await sandbox().control('plan', { apiAccess: true });
  expect((await list(sandbox().keys.full)).status).toBe(200);
});
