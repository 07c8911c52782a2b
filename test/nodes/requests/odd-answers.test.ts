import { gzipSync } from 'node:zlib';
import { createServer, type Socket } from 'node:net';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { runAction } from '../../support/action/action';
import { passTimeFaster } from '../../support/time/fast-time';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 1, rateLimit: 'off' });
const token = 'sk_live_odd-answers';
const company = '{"id":"cmp_1","name":"One"}';
const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** The bytes of an answer, which no HTTP server would write like this. */
const http = (status: number, headers: string[], body: string | Buffer = ''): Buffer =>
  Buffer.concat([
    Buffer.from([`HTTP/1.1 ${status} Odd`, ...headers, 'Connection: close', '', ''].join('\r\n')),
    Buffer.from(body),
  ]);
const json = (status: number, body: object | string) =>
  http(status, [], typeof body === 'string' ? body : JSON.stringify(body));
const refused = (status: number, code: string, more: object) =>
  json(status, { error: { code, message: 'No.', ...more } });

let answer: Buffer;
let requests = 0;
const server = createServer((socket: Socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    requests += 1;
    socket.end(answer);
  });
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  address = typeof at === 'object' ? `http://127.0.0.1:${at?.port}` : '';
  passTimeFaster(200);
});
afterAll(async () => await new Promise((resolve) => server.close(resolve)));

const getCompany = {
  resource: 'company',
  operation: 'get',
  companyId: { __rl: true, mode: 'id', value: 'cmp_1' },
  output: 'all',
};

async function ask(bytes: Buffer, parameters: INodeParameters = getCompany, input?: INodeExecutionData[]) {
  answer = bytes;
  requests = 0;
  const result = await runAction(sandbox(), parameters, { credential: { address, token }, input });
  const shown = JSON.stringify([result.outputs, result.error, result.error?.message]);
  expect(shown).not.toContain(token);
  expect(shown.length).toBeLessThan(20_000);
  return { ...result, requests };
}

describe('A record is taken', () => {
  test.each<[string, Buffer]>([
    ['after the mark that some servers begin a text with', json(200, `\ufeff${company}`)],
    [
      'with trailers',
      http(200, ['Transfer-Encoding: chunked'], `1b;a=b\r\n${company}\r\n0\r\nX-A: 1\r\n\r\n`),
    ],
    [
      'after early hints',
      Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'), json(203, company)]),
    ],
    ['until the connection ends, as in HTTP/1.0', Buffer.from(`HTTP/1.0 200 OK\r\n\r\n${company}`)],
    [
      'with names that objects have of themselves',
      json(200, `{"__proto__":{"a":1},"toString":null,${company.slice(1)}`),
    ],
  ])('%s', async (_, bytes) => {
    const { outputs, error } = await ask(bytes);
    expect(error).toBeUndefined();
    expect(outputs[0]?.[0]?.json).toMatchObject({ id: 'cmp_1', name: 'One' });
  });
});

const foreign = "returned a response that is not from the agency's API";
const unavailable = 'is not available at the moment';
const garbled = 'could not be reached: its response is garbled';

describe('In the words of the node, with the way out, comes', () => {
  test.each<[string, Buffer, words: string, times: number]>([
    ['an encoding that is not there', http(200, ['Content-Encoding: gzip'], company), garbled, 10],
    ['another encoding that is not there', http(200, ['Content-Encoding: br'], company), garbled, 10],
    [
      'half of what was compressed',
      http(200, ['Content-Encoding: gzip'], gzipSync(company).subarray(0, 20)),
      foreign,
      4,
    ],
    ['an error in such an encoding', http(503, ['Content-Encoding: gzip'], '<html>'), garbled, 10],
    ['what is no HTTP', Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'), garbled, 10],
    ['UTF-16', http(200, [], Buffer.from(company, 'utf16le')), foreign, 4],
    ['JSON with something behind it', json(200, `${company}<!-- x -->`), foreign, 4],
    ['JSON that is nested too deep', json(200, `{"a":${nested},${company.slice(1)}`), foreign, 4],
    ['an error that is', json(400, `{"error":{"code":"CONFLICT","details":{"a":${nested}}}}`), foreign, 1],
    ['an error of megabytes', refused(400, 'CONFLICT', { message: 'x'.repeat(2_000_000) }), foreign, 1],
    ['a long error', refused(409, 'CONFLICT', { message: 'x'.repeat(5_000) }), 'does not allow this: xxx', 1],
    [
      'a long request ID',
      http(409, [`X-Request-Id: ${'r'.repeat(9_000)}`], '{"error":{"code":"CONFLICT"}}'),
      'does not allow',
      1,
    ],
    [
      'scopes that are no text',
      refused(403, 'INSUFFICIENT_SCOPE', { details: { requiredScopes: [{ toString: 1 }] } }),
      'The key lacks a scope',
      1,
    ],
    [
      'issues that are no text',
      refused(422, 'VALIDATION_ERROR', { details: { issues: [{ path: [{ toString: 1 }] }] } }),
      'is not accepted',
      1,
    ],
    [
      'the key in the request ID',
      http(403, [`X-Request-Id: ${token}`], '{"error":{"code":"FORBIDDEN"}}'),
      'does not allow this',
      1,
    ],
    [
      'the key in a redirect',
      http(302, [`Location: https://x.example/${token}`]),
      'https://x.example/[redacted], which is not followed',
      1,
    ],
    ['a redirect to no address', http(302, ['Location: javascript:alert(1)']), 'to another address', 1],
    ['a 304, which is no redirect', http(304, []), foreign, 1],
    [
      'a page of a proxy with a limit of size',
      http(413, [], '<html>'),
      'does not accept requests of this size',
      1,
    ],
    ['a 429 of a proxy', http(429, [], '<html>'), 'received too many requests', 10],
    ['a 429 for centuries', http(429, [`Retry-After: ${'9'.repeat(400)}`]), 'received too many requests', 10],
    [
      'a 503 for an hour',
      http(503, ['Retry-After: 3600']),
      'does not accept requests for the next 60 minutes',
      1,
    ],
    ...[408, 425, 500, 502, 503, 520, 524, 529, 530, 599].map((status): [string, Buffer, string, number] => [
      `a ${status} of a gateway`,
      http(status, [], '<html>'),
      unavailable,
      10,
    ]),
    ...[400, 401, 403, 407, 451, 501, 511, 526].map((status): [string, Buffer, string, number] => [
      `a ${status} of a gateway`,
      http(status, [], '<html>'),
      foreign,
      1,
    ]),
  ])('%s', async (_, bytes, words, times) => {
    const { error, requests: sent } = await ask(bytes);
    expect(error?.message).toContain(words);
    expect(error?.description).toMatch(/\w{3}/);
    expect(sent).toBe(times);
  });
});

test.each<[number, string, string]>([
  [413, 'PAYLOAD_TOO_LARGE', 'The file is larger than the 48 MB'],
  [401, 'INVALID_API_KEY', 'does not accept the API key'],
])('A %i that comes before the file was sent is read', async (status, code, words) => {
  const large = Buffer.alloc(20_000_000, 'a').toString('base64');
  const data = { data: large, mimeType: 'text/csv', fileName: 'a.csv' };
  const upload = { resource: 'file', operation: 'upload', binaryPropertyName: 'data' };
  const { error } = await ask(refused(status, code, {}), upload, [{ json: {}, binary: { data } }]);
  expect(error?.message).toContain(words);
});

test('A Retry-After that is a date counts by the clock of who sent it', async () => {
  const there = Date.parse('2031-01-01T00:00:00Z');
  const at = (time: number) => new Date(time).toUTCString();
  const { error } = await ask(http(503, [`Date: ${at(there)}`, `Retry-After: ${at(there + 300_000)}`]));
  expect(error?.message).toContain('for the next 5 minutes');
});
