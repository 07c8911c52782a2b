import { inspect } from 'node:util';
import { runAction } from '../../support/action/action';
import type { NodeRun } from '../../support/engine';
import { itemsWithFiles, pdf } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { useServer } from '../../support/proxies/server';
import { useCompany, uploadTo, useDocuments } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 30, rateLimit: 'off' });
const company = useCompany(sandbox);
const ids = useDocuments(sandbox);

const getEach = {
  resource: 'document',
  operation: 'get',
  documentId: '={{ $json.id }}',
  output: 'simplified',
};
const itemsOf = (wanted: string[]) => wanted.map((id) => ({ json: { id } }));
const getOne = async (changes: Partial<NodeRun> = {}) =>
  await runAction(sandbox(), getEach, { input: itemsOf(ids().slice(0, 1)), ...changes });

describe('What answers at the address', () => {
  let answer = { status: 200, headers: {}, body: '' };
  let arrived: string[] = [];
  const address = useServer((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  beforeEach(() => (arrived = []));

  const html = { 'content-type': 'text/html' };
  test.each([
    [
      'a web page',
      { status: 200, headers: html, body: '<html>Log in</html>' },
      "returned a response that is not from the agency's API",
    ],
    [
      'a web page that says no',
      { status: 403, headers: html, body: '<html>No</html>' },
      "returned a response that is not from the agency's API",
    ],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://elsewhere.example/login' }, body: '' },
      'answered with a redirect to https://elsewhere.example/login, which is not followed.',
    ],
    [
      'a list',
      { status: 200, headers: {}, body: '[]' },
      "returned a response that is not from the agency's API",
    ],
    [
      'another error shape',
      { status: 404, headers: {}, body: '{"message":"nope"}' },
      "returned a response that is not from the agency's API",
    ],
    [
      'half a JSON',
      { status: 200, headers: {}, body: '{"id":' },
      "returned a response that is not from the agency's API",
    ],
  ])('%s is told with the address', async (_, given, words) => {
    answer = given;
    const { error } = await getOne({ credential: { address: address(), token: 'k' } });
    expect(error?.message).toContain(`${address()} ${words}`);
    expect(error?.description).toContain('Agency Address');
    expect(error?.context?.data).toMatchObject({ status: given.status });
    // A proxy may have spoiled one answer of many, so a success that is none is asked for again.
    expect(arrived).toHaveLength(given.status === 200 ? 4 : 1);
  });

  describe('half an answer', () => {
    let halves = 0;
    const halting = useServer((_, response) => {
      const body = JSON.stringify({ data: [{ id: 'cmp_1', name: 'One' }], nextCursor: null });
      response.writeHead(200, { 'content-length': body.length });
      if (halves === 0) response.end(body);
      else response.write(body.slice(0, 20), () => response.destroy());
      halves = Math.max(0, halves - 1);
    });

    test('is asked for again', async () => {
      halves = 2;
      const { outputs } = await runAction(
        sandbox(),
        { resource: 'company', operation: 'getAll', returnAll: true, output: 'all' },
        { credential: { address: halting(), token: 'k' } },
      );
      expect(outputs[0]?.map(({ json }) => json)).toEqual([{ id: 'cmp_1', name: 'One' }]);
      expect(halves).toBe(0);
    });
  });

  test('with rows that are none is told', async () => {
    answer = { status: 200, headers: {}, body: '{"hello":"world"}' };
    const { error } = await runAction(
      sandbox(),
      { resource: 'company', operation: 'getAll', returnAll: true, output: 'simplified' },
      { credential: { address: address(), token: 'k' } },
    );
    expect(error?.message).toContain("returned a response that is not from the agency's API");
  });

  test('with the same cursor twice is no endless list', async () => {
    answer = { status: 200, headers: {}, body: '{"data":[{"id":"1","name":"One"}],"nextCursor":"again"}' };
    const { error } = await runAction(
      sandbox(),
      { resource: 'company', operation: 'getAll', returnAll: true, output: 'simplified' },
      { credential: { address: address(), token: 'k' } },
    );
    expect(error?.message).toBe(
      'The agency returned the same position twice, or page after page without new data, so the list would never end. [item 0]',
    );
    expect(arrived).toHaveLength(2);
  });
});

describe('A key', () => {
  test.each([
    ['mistyped', () => 'wrong', /does not accept the API key or access token/],
    ['of another agency', () => sandbox().keys.foreign, /does not accept the API key or access token/],
    ['revoked', () => sandbox().keys.revoked, /does not accept the API key or access token/],
    ['empty', () => ' ', /^API Key or Access Token is empty/],
    ['with an umlaut', () => 'kéy', /^API Key or Access Token contains characters that no key has/],
  ])('that is %s is told, with the way out', async (_, token, message) => {
    const { error } = await getOne({ credential: { address: sandbox().url, token: token() } });
    expect(error?.message).toMatch(message);
    expect(error?.description).toMatch(/credential|Copy the whole key into the credential/);
  });

  test('is in no output, error, stored run or log', async () => {
    const logged: unknown[] = [];
    for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const) {
      jest.spyOn(console, method).mockImplementation((...said: unknown[]) => void logged.push(said));
    }
    const token = sandbox().keys.full;
    const runs = [];
    const path = `/documents/${ids()[1]}`;
    const refusal = { path, times: 1, fault: 'status', status: 401, code: 'INVALID_API_KEY' };
    await sandbox().control('faults', [refusal]);
    runs.push(await runAction(sandbox(), getEach, { input: itemsOf(ids()) }));
    runs.push(
      await runAction(sandbox(), getEach, {
        input: itemsOf(['none', ...ids()]),
        onError: 'continueErrorOutput',
      }),
    );
    const input = itemsWithFiles({ files: { data: { bytes: pdf('a'), name: 'a.pdf' } } });
    runs.push(await runAction(sandbox(), uploadTo(company()), { input }));
    runs.push(
      await getOne({
        credential: { address: 'http://127.0.0.1:1', token },
        signal: AbortSignal.timeout(600),
      }),
    );
    jest.restoreAllMocks();
    const everything = inspect([runs, logged], {
      depth: 30,
      maxArrayLength: null,
      maxStringLength: null,
      showHidden: true,
    });
    expect(everything).toContain(sandbox().url);
    expect(everything).not.toContain(token);
  });
});
