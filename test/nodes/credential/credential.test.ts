import type { FaultPlan } from '../../../sandbox/control/faults';
import { testCredential } from '../../support/credential-test';
import { useReadingProxy } from '../../support/proxies/reading-proxy';
import { LIST_READINGS, READINGS } from '../../support/proxies/readings';
import { useSandbox } from '../../support/sandbox/sandbox';
import { useServer } from '../../support/proxies/server';
import { SPOILINGS, SpoilingProxy } from '../../support/proxies/spoiling-proxy';
import { trail } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0 });
const verdictOn = async (token: string, address = sandbox().url) => await testCredential({ address, token });
const fault = async (...plans: FaultPlan[]) => await sandbox().control('faults', plans);

const REFUSED = {
  status: 'Error',
  message:
    'The agency does not accept this key. It may be mistyped, revoked or expired, or belong to another agency.',
};
const FOREIGN = {
  status: 'Error',
  message:
    "This address returned a response that is not from the agency's API. Check the Agency Address: it must be the address of the agency itself.",
};
const GOOD = { status: 'OK', message: 'Connection successful!' };

describe('A key that may do something', () => {
  test('is good, after one small request', async () => {
    expect(await verdictOn(sandbox().keys.full)).toEqual(GOOD);
    const [request, ...others] = await sandbox().requests();
    expect(request).toMatchObject({ method: 'GET', path: '/api/v1/companies', query: { limit: '1' } });
    expect(others).toEqual([]);
  });

  test.each(['readonly', 'singleCompany', 'other'] as const)('is good: %s', async (name) => {
    expect(await verdictOn(sandbox().keys[name])).toEqual(GOOD);
  });

  test('is good also when it is an access token', async () => {
    expect(await verdictOn(sandbox().token)).toEqual(GOOD);
  });

  test('is good also when it may not see companies', async () => {
    const key = await sandbox().newKey(['events:read']);
    expect(await verdictOn(key)).toEqual(GOOD);
  });

  test.each([
    (url: string) => `${url}/`,
    (url: string) => ` ${url}/api/v1 `,
    (url: string) => `"${url}"`,
    (url: string) => `\u200b<${url}>\u00a0`,
    (url: string) => `${url}/api/v1/`,
    (url: string) => url.toUpperCase().replace('HTTP', 'http'),
    (url: string) => url.replace('http://', ''),
    (url: string) => `${url.replace('http://', '')}/companies/1?tab=settings#top`,
    (url: string) => `${url}/app/login?next=https://elsewhere.example/`,
  ])('is good with every form of the address', async (form) => {
    expect(await verdictOn(` ${sandbox().keys.full} `, form(sandbox().url))).toEqual(GOOD);
    expect(await verdictOn(`Authorization: Bearer "${sandbox().keys.full}"`, form(sandbox().url))).toEqual(
      GOOD,
    );
  });
});

describe('A key that does not work', () => {
  test.each(['foreign', 'revoked', 'expired'] as const)('is refused, and why is told: %s', async (name) => {
    expect(await verdictOn(sandbox().keys[name])).toEqual(REFUSED);
    expect(await trail(sandbox())).toHaveLength(1);
  });

  test('is told apart from a plan without the API', async () => {
    await sandbox().control('plan', { apiAccess: false });
    expect((await verdictOn(sandbox().keys.full)).message).toBe(
      'The plan of this agency does not include API access. An administrator of the agency can add it.',
    );
  });

  test.each([
    [429, 'RATE_LIMITED', 'The key has used up its requests for this minute. Test again in a minute.'],
    [500, 'INTERNAL_ERROR', 'The agency has an internal error. Test again later.'],
    [503, 'STORAGE_UNAVAILABLE', 'The agency is not available at the moment. Test again in a few minutes.'],
    [403, 'FORBIDDEN', 'The agency does not allow this key here. Ask an administrator of the agency.'],
  ] as const)('is told apart from %i %s', async (status, code, message) => {
    await fault({ times: 1, fault: 'status', status, code });
    expect(await verdictOn(sandbox().keys.full)).toEqual({ status: 'Error', message });
  });

  test.each([
    ['', 'API Key or Access Token is empty.'],
    ['two words', 'API Key or Access Token contains a space or a line break.'],
    ['kéy', 'API Key or Access Token contains characters that no key has.'],
  ])('%p is not sent at all', async (token, message) => {
    expect(await verdictOn(token)).toEqual({ status: 'Error', message });
    expect(await trail(sandbox())).toEqual([]);
  });
});

describe('An address', () => {
  let answer = { status: 200, headers: {}, body: '' };
  let arrived: unknown[] = [];
  const address = useServer((request, response) => {
    arrived.push(request.headers.host);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  beforeEach(() => (arrived = []));

  const html = { 'content-type': 'text/html' };
  test.each([
    ['a web page', { status: 200, headers: html, body: '<html>Log in</html>' }],
    ['a web page that says no', { status: 403, headers: html, body: '<html>No</html>' }],
    ['a web page that is broken', { status: 500, headers: html, body: '<html>Oh</html>' }],
    ['nothing', { status: 200, headers: {}, body: '' }],
  ])('where %s answers is not the agency', async (_, given) => {
    answer = given;
    expect(await verdictOn('k', address())).toEqual(FOREIGN);
  });

  const json = { 'content-type': 'application/json' };
  const ownJson = (body: string) => [200, 401, 403].map((status) => [status, body] as const);

  test.each(
    [
      '{"message":"no"}',
      '{"detail":"Not authenticated"}',
      '{"status":"ok"}',
      '{"status":200,"user":{}}',
      '{"error":"Unauthorized"}',
      '{"error":true}',
      '{"error":{"code":401}}',
      '{"error":["no"]}',
      '{"data":{"id":1}}',
      '{"data":"x"}',
      '"text"',
      '7',
      '[1,2]',
      '["a"]',
      'true',
      'null',
    ].flatMap(ownJson),
  )('where JSON of another service comes with %i is not the agency: %s', async (status, body) => {
    answer = { status, headers: json, body };
    expect(await verdictOn('k', address())).toEqual(FOREIGN);
  });

  test.each(['{}', '{"id":1}', '{"error":{"message":"no"}}', '[{"id":1}]'].flatMap(ownJson))(
    'where JSON comes with %i that cannot be told apart passes, as the docs say: %s',
    async (status, body) => {
      answer = { status, headers: json, body };
      expect(await verdictOn('k', address())).toEqual(GOOD);
    },
  );

  test('that redirects is not followed, and not the agency', async () => {
    answer = { status: 302, headers: { location: `${sandbox().url}/api/v1/companies` }, body: '' };
    expect(await verdictOn(sandbox().keys.full, address())).toEqual(FOREIGN);
    expect(arrived).toHaveLength(1);
    expect(await trail(sandbox())).toEqual([]);
  });

  test('without such a path is not the agency', async () => {
    answer = { status: 404, headers: html, body: '<html>Nothing here</html>' };
    expect(await verdictOn('k', address())).toEqual({ status: 'Error', message: 'Not Found' });
  });

  test('where nothing answers is told by the code of the connection', async () => {
    expect(await verdictOn('k', 'http://127.0.0.1:1')).toEqual({ status: 'Error', message: 'ECONNREFUSED' });
  });

  test.each([
    ['no where', 'Agency Address is not a web address such as https://agency.example.'],
    ['http://agency.example', 'Agency Address must begin with https://.'],
    ['https://user:secret@agency.example', 'Agency Address must not contain a user name or password.'],
    ['ftp://agency.example', 'Agency Address is not a web address such as https://agency.example.'],
    ['', 'Agency Address is empty.'],
  ])('%p is refused before anything is sent', async (wrong, message) => {
    expect(await verdictOn('k', wrong)).toEqual({ status: 'Error', message });
  });
});

describe('A good key', () => {
  const proxy = useReadingProxy(() => sandbox().url);

  test.each(Object.entries({ ...READINGS, ...LIST_READINGS }))(
    'is good with an agency where %s',
    async (_, reading) => {
      proxy.read(reading);
      expect(await verdictOn(sandbox().keys.full, proxy.address())).toEqual(GOOD);
    },
  );
});

describe('An answer that was spoiled on its way', () => {
  let proxy: SpoilingProxy;
  beforeEach(async () => {
    proxy = await SpoilingProxy.start(sandbox().url);
  });
  afterEach(async () => await proxy.close());

  // Passes, as the docs say: n8n compares one field, and no field is in all answers of the API.
  const otherJson = ['{}', '{"error":{"message":"no"}}'];

  // What stands still is bounded by n8n, which makes the request of a credential test.
  const spoilings = Object.entries(SPOILINGS).filter(([name]) => !name.endsWith('silence'));

  test.each(spoilings)('%s: is no success unless it is other JSON', async (name, answer) => {
    proxy.spoil({ request: /./, times: Number.POSITIVE_INFINITY, answer });
    const { status } = await verdictOn(sandbox().keys.full, proxy.address);
    expect(status).toBe(otherJson.includes(name) ? 'OK' : 'Error');
    expect(proxy.passed).toHaveLength(1);
  });
});
