import { setImmediate } from 'node:timers/promises';
import type { IHttpRequestOptions } from 'n8n-workflow';
import {
  adjustEndpoint,
  makeEndpoint,
  type DesiredEndpoint,
  removeEndpoint,
} from '../../../nodes/AccountingAgencyTrigger/endpoint/endpoint-requests';
import { AgencyClient } from '../../../nodes/shared/api/client';

// What the sandbox cannot do: answers that the API would not give.

const desired: DesiredEndpoint = {
  workflowId: 'workflow',
  nodeId: 'node',
  url: 'https://n8n.example/webhook/hook/webhook',
  agency: 'https://agency.example',
  eventTypes: ['*'],
};
const NOT_FOUND = { error: { code: 'NOT_FOUND', message: 'Not found.' } };
const NAMED = { id: 'we_1', url: desired.url };
const MADE = { ...NAMED, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

interface Answer {
  status: number;
  body: unknown;
  replayed?: boolean;
  /** What the header of that name says. */
  date?: string;
}

/** A client of a server that answers each method like this, and what was asked of it. */
function serverWith(answers: Partial<Record<string, Answer>>) {
  const asked: IHttpRequestOptions[] = [];
  const client = new AgencyClient(
    async (options) => {
      // A request arrives a little after it was sent.
      await setImmediate();
      asked.push(options);
      const usual: Answer =
        options.method === 'DELETE' ? { status: 204, body: '' } : { status: 200, body: MADE };
      const { status, body, replayed, date } = answers[String(options.method)] ?? usual;
      return {
        statusCode: status,
        headers: { ...(replayed && { 'idempotent-replayed': 'true' }), date },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      };
    },
    desired.agency,
    { attempts: 1 },
  );
  return { client, asked, methods: () => asked.map(({ method }) => method) };
}

const make = async ({ client }: ReturnType<typeof serverWith>, changes: Partial<DesiredEndpoint> = {}) =>
  await makeEndpoint(client, 0, { ...desired, ...changes }, true);

test.each<[string, Answer]>([
  ['a 404 of something in between', { status: 404, body: '<html>Not found</html>' }],
  ['a 404 of another shape', { status: 404, body: { message: 'Not found' } }],
  ['another code', { status: 404, body: { error: { code: 'GONE', message: 'x' } } }],
  ['a redirect', { status: 302, body: '' }],
  ['a page', { status: 200, body: '<html>Log in</html>' }],
])('does not take %s for the word that an endpoint is gone', async (_, answer) => {
  const { client } = serverWith({ PATCH: answer, DELETE: answer });
  await expect(adjustEndpoint(client, 'we_1', desired)).rejects.toThrow();
  await expect(removeEndpoint(client, 'we_1')).rejects.toThrow();
});

test('takes the API at its word', async () => {
  const { client } = serverWith({
    PATCH: { status: 404, body: NOT_FOUND },
    DELETE: { status: 404, body: NOT_FOUND },
  });
  expect(await adjustEndpoint(client, 'we_1', desired)).toBe(false);
  expect(await removeEndpoint(client, 'we_1')).toBe(false);
  expect(await removeEndpoint(serverWith({}).client, 'we_1')).toBe(true);
});

test('makes an endpoint by one request for all events, and sets chosen ones by a second', async () => {
  const all = serverWith({ POST: { status: 201, body: MADE } });
  expect(await make(all)).toMatchObject({ endpoint: { id: 'we_1', eventTypes: ['*'] }, generation: 0 });
  expect(all.methods()).toEqual(['POST']);

  const some = serverWith({ POST: { status: 201, body: MADE } });
  await make(some, { eventTypes: ['task.completed'] });
  expect(some.methods()).toEqual(['POST', 'PATCH']);
  expect(some.asked.map(({ body }) => JSON.parse(String(body)).eventTypes)).toEqual([
    ['*'],
    ['task.completed'],
  ]);
});

test('asks with the same key until an endpoint is removed, with another one for each workflow, node and address', async () => {
  const keys = new Set<unknown>();
  for (const changes of [
    {},
    {},
    { eventTypes: ['task.completed' as const] },
    { workflowId: 'a' },
    { nodeId: 'a' },
    { url: 'a' },
  ]) {
    const server = serverWith({ POST: { status: 201, body: MADE } });
    await make(server, changes);
    keys.add(server.asked[0]?.headers?.['Idempotency-Key']);
  }
  expect(keys.size).toBe(4);
});

test('gives every change and removal a key of its own, so that none counts as a repeat of an earlier one', async () => {
  const server = serverWith({});
  for (let times = 0; times < 2; times += 1) {
    await adjustEndpoint(server.client, 'we_1', desired);
    await removeEndpoint(server.client, 'we_1');
  }
  const keys = server.asked.map(({ headers }) => headers?.['Idempotency-Key']);
  expect(keys).toEqual(Array<unknown>(4).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
  expect(new Set(keys).size).toBe(4);
});

describe('knows since when an endpoint is there', () => {
  const since = async (answer: Partial<Answer>, createdAt?: unknown) => {
    const server = serverWith({ POST: { status: 201, body: { ...MADE, createdAt }, ...answer } });
    return (await make(server)).endpoint.createdAt;
  };
  const date = 'Mon, 02 Nov 2026 08:00:00 GMT';

  test('by what the agency says of it', async () => {
    expect(await since({ date }, '2026-11-01T10:00:00+01:00')).toBe('2026-11-01T09:00:00.000Z');
  });

  test.each([undefined, 'soon', 5])("by the agency's clock, when it says %j", async (createdAt) => {
    expect(await since({ date }, createdAt)).toBe('2026-11-02T08:00:00.000Z');
  });

  test.each([undefined, 'today'])("by n8n's own clock, when the agency's shows %j", async (shown) => {
    const before = Date.now();
    const own = Date.parse(String(await since({ date: shown })));
    expect(own).toBeGreaterThanOrEqual(before);
    expect(own).toBeLessThanOrEqual(Date.now());
  });
});

test.each([{}, { url: desired.url, secret: MADE.secret }])(
  'does not take an answer for an endpoint that was made: %j',
  async (body) => {
    const server = serverWith({ POST: { status: 201, body } });
    await expect(make(server)).rejects.toThrow('it is not known whether this was done');
    // The next attempt finds what was made by its key.
    expect(server.methods()).toEqual(['POST']);
  },
);

const USELESS = [undefined, '', 5, 'abc', 'whsec_', 'whsec_!!', 'whsec_AA'];

test.each(USELESS)('removes a new endpoint whose secret verifies nothing: %s', async (secret) => {
  const server = serverWith({ POST: { status: 201, body: { ...NAMED, secret } } });
  await expect(make(server)).rejects.toMatchObject({
    message: expect.stringContaining('without a usable signing secret'),
    description: expect.stringMatching(/Agency Address.*no proxy/),
  });
  expect(server.methods()).toEqual(['POST', 'DELETE']);
});

test.each(USELESS)(
  'goes on to the next key when an endpoint is named again with the secret %s, unless it cannot be removed',
  async (secret) => {
    const named = { status: 201, body: { ...NAMED, secret }, replayed: true };
    const server = serverWith({ POST: named });
    await expect(make(server)).rejects.toThrow('only endpoints of this node that have been removed');
    expect(server.methods().slice(0, 4)).toEqual(['POST', 'DELETE', 'POST', 'DELETE']);
    const keys = server.asked.filter(({ method }) => method === 'POST').map(({ headers }) => headers);
    expect(new Set(keys.map((one) => one?.['Idempotency-Key'])).size).toBe(keys.length);

    const kept = serverWith({ POST: named, DELETE: { status: 503, body: NOT_FOUND } });
    await expect(make(kept)).rejects.toThrow();
    expect(kept.methods()).toEqual(['POST', 'DELETE']);
  },
);

test('leaves no endpoint that the agency makes and does not know', async () => {
  const answers = { POST: { status: 201, body: MADE }, PATCH: { status: 404, body: NOT_FOUND } };
  const server = serverWith(answers);
  await expect(make(server, { eventTypes: ['task.completed'] })).rejects.toMatchObject({
    message: expect.stringContaining('did not find it'),
    description: expect.stringContaining('again in a minute'),
  });
  expect(server.methods()).toEqual(['POST', 'PATCH', 'DELETE']);
});

test('does not ask for ever when every answer is of an endpoint that is gone', async () => {
  const server = serverWith({
    POST: { status: 201, body: MADE, replayed: true },
    PATCH: { status: 404, body: NOT_FOUND },
  });
  await expect(make(server)).rejects.toMatchObject({
    message: expect.stringContaining('only endpoints of this node that have been removed'),
    description: expect.stringContaining('again in a day'),
  });
  expect(server.methods()).toEqual(Array.from({ length: 50 }, () => ['POST', 'PATCH']).flat());
});
