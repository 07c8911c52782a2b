import fc from 'fast-check';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { useSandbox } from '../../support/sandbox/sandbox';
import { send } from '../../support/sandbox/send';
import { problemsOf, survey } from './fuzz/judge';
import { requests } from './fuzz/requests';

/** What a server sends back over a plain socket until it closes. */
async function exchange(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(5000, () => socket.destroy(new Error('The server kept the connection for 5 seconds.')));
  socket.write(bytes, 'latin1');
  return await text(socket);
}

describe('random and malformed requests', () => {
  const sandbox = useSandbox({ rateLimit: 'off', documents: 300 });
  const agent = new Agent({ keepAlive: true });

  afterAll(() => agent.destroy());

  test('are all answered by the contract: no 500, no hang, nothing of another company', async () => {
    const { keys, token, url } = sandbox();
    const { ids, isHidden } = await survey(sandbox());
    // The restricted key most often: it is the one that can see too much.
    const restricted = keys.singleCompany;
    const good = [restricted, restricted, restricted, keys.full, keys.other, keys.readonly, token];
    const statuses: Record<number, number> = {};
    await fc.assert(
      fc.asyncProperty(requests(ids, [...good, ...good, keys.revoked, keys.foreign]), async (request) => {
        const answer = await send(url, agent, request);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        const isRestricted = request.headers.authorization === `Bearer ${restricted}`;
        expect(problemsOf(request, answer, isRestricted ? isHidden : () => false)).toEqual([]);
      }),
      { seed: 20_261_127, numRuns: 2500 },
    );
    // The requests reach further than the first check.
    for (const status of [200, 201, 400, 401, 403, 404, 409, 422])
      expect(statuses[status]).toBeGreaterThan(5);
  });
});

describe('bytes that are not HTTP', () => {
  const sandbox = useSandbox({ documents: 10 });

  test.each([
    ['no request', 'hello\r\n\r\n'],
    ['a path that is too long', `GET /api/v1/companies/${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`],
    ['an unknown method', 'BREW /api/v1/companies HTTP/1.1\r\nhost: a\r\n\r\n'],
    [
      'two lengths',
      'POST /api/v1/files HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcde',
    ],
    [
      'a length and chunks',
      'POST /api/v1/files HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a header of 100,000 bytes',
      `GET /api/v1/companies HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
    ],
  ])('%s: are refused in the error shape, and the next request is served', async (_name, bytes) => {
    const answer = await exchange(sandbox().url, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer.toLowerCase()).toMatch(/\r\nx-request-id: \S+/);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      error: {
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: '', message: expect.stringMatching(/\w/) }] },
      },
    });
    expect((await sandbox().call({ path: '/companies', query: { limit: 1 } })).status).toBe(200);
  });

  test.each([
    ['no host', 'GET /api/v1/companies HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['an unknown expectation', 'GET /api/v1/companies HTTP/1.1\r\nexpect: tea\r\nconnection: close\r\n\r\n'],
  ])('%s: is no reason to leave the error shape', async (_name, bytes) => {
    const answer = await exchange(sandbox().url, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer.toLowerCase()).toMatch(/\r\nx-request-id: \S+/);
    expect(answer).toContain('INVALID_API_KEY');
  });
});
