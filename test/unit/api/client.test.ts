import { Readable } from 'node:stream';
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { AgencyClient } from '../../../nodes/shared/api/client';
import { AgencyError } from '../../../nodes/shared/api/errors/agency-error';
import { FakeClock } from '../../support/time/clock';

type Answer = Partial<IN8nHttpFullResponse> | Error;

/** A client whose agency gives these answers, one after the other. */
function agency(...answers: Answer[]) {
  const sent: IHttpRequestOptions[] = [];
  const clock = new FakeClock();
  const client = new AgencyClient(
    async (options) => {
      sent.push(options);
      const answer = answers[sent.length - 1];
      if (answer === undefined) throw new Error('No more answers were expected.');
      if (answer instanceof Error) throw answer;
      return { statusCode: 200, headers: {}, body: '{"data":[],"nextCursor":null}', ...answer };
    },
    'https://agency.example',
    { clock },
  );
  return { client, sent, clock };
}

const broken = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' });
const companies = 'GET /companies';
const content = 'GET /documents/{id}/content';
const filing = { body: { fileId: 'f', companyId: 'c' }, header: { 'Idempotency-Key': 'k' } };

describe('What is sent', () => {
  test('is a plain request: status errors ignored, no redirects, the answer as text', async () => {
    const { client, sent } = agency({});
    await client.request(companies, {});
    expect(sent).toEqual([
      {
        method: 'GET',
        url: 'https://agency.example/api/v1/companies',
        headers: { Accept: 'application/json' },
        body: undefined,
        encoding: 'stream',
        timeout: 60_000,
        returnFullResponse: true,
        ignoreHttpStatusErrors: true,
        disableFollowRedirect: true,
      },
    ]);
  });

  test('has its parameters encoded, without those that have no value', async () => {
    const { client, sent } = agency({});
    const query = { query: 'a&b=c +ä', limit: 5, cursor: undefined };
    await client.request(companies, { query });
    expect(sent[0]?.url).toBe('https://agency.example/api/v1/companies?query=a%26b%3Dc+%2B%C3%A4&limit=5');
  });

  test('is JSON with the headers of a write, an empty object included', async () => {
    const { client, sent } = agency({ body: '{"dryRun":true,"changes":[],"result":{"id":"c","name":"C"}}' });
    await client.request('PATCH /companies/{id}', {
      path: { id: 'a/b' },
      query: { dryRun: true },
      header: { 'Idempotency-Key': 'k' },
      body: {},
    });
    expect(sent[0]?.method).toBe('PATCH');
    expect(sent[0]?.url).toBe('https://agency.example/api/v1/companies/a%2Fb?dryRun=true');
    expect(sent[0]?.body).toBe('{}');
    expect(sent[0]?.headers).toEqual({
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'Idempotency-Key': 'k',
    });
  });

  test('has the headers that have a value', async () => {
    const { client, sent } = agency({ body: '{"companyId":"c","version":4,"markdown":""}' });
    await client.request('PUT /companies/{id}/playbook', {
      path: { id: 'c' },
      header: { 'If-Match': '3', 'Idempotency-Key': undefined },
      body: { markdown: '' },
    });
    expect(sent[0]?.headers).toEqual({
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'If-Match': '3',
    });
  });

  test('has headers of its own in every attempt, since the helper writes the key into them', async () => {
    const { client, sent } = agency(broken(), {});
    await client.request(companies, {});
    expect(sent[0]?.headers).not.toBe(sent[1]?.headers);
  });

  test('of a file is a stream that is opened anew for every attempt, and closed after it', async () => {
    const streams: Readable[] = [];
    const open = async () => {
      const stream = Readable.from([Buffer.from('abc')]);
      streams.push(stream);
      return stream;
    };
    const { client, sent } = agency(
      broken(),
      { statusCode: 503, body: '' },
      { body: '{"id":"f","filename":"a.csv"}' },
    );
    const file = { open, length: 3, mimeType: 'text/csv' };
    await client.request('POST /files', { query: { filename: 'a.csv' }, file });
    expect(sent.map(({ body }) => body)).toEqual(streams);
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
    expect(sent[0]).toMatchObject({
      headers: { 'Content-Type': 'text/csv', 'Content-Length': '3' },
      timeout: 60_001,
    });
  });

  test('of a large file says what may be wrong when the connection is always lost', async () => {
    const { client } = agency(...Array.from({ length: 10 }, broken));
    const file = { open: async () => Readable.from([Buffer.from('abc')]), length: 3, mimeType: 'text/csv' };
    const sending = client.request('POST /files', { query: { filename: 'a.csv' }, file });
    await expect(sending).rejects.toMatchObject({ description: expect.stringContaining('limit their size') });
  });
});

describe('What comes back', () => {
  test('is the status, the headers and the body', async () => {
    const { client } = agency({
      headers: { etag: '"3"' },
      body: '{"companyId":"c","version":3,"markdown":""}',
    });
    expect(await client.request('GET /companies/{id}/playbook', { path: { id: 'c' } })).toEqual({
      status: 200,
      headers: { etag: '"3"' },
      body: { companyId: 'c', version: 3, markdown: '' },
    });
  });

  test('of a removal may be nothing', async () => {
    const { client } = agency({ statusCode: 204, body: '' });
    const answer = await client.request('DELETE /webhook-endpoints/{id}', { path: { id: 'e' } });
    expect(answer.body).toEqual({});
  });

  const FOREIGN = ['', '[]', '"text"', '1', 'null', 'true', '<html>', '{"id":', '{}', '{"status":"ok"}'];

  test.each([...FOREIGN, '{"error":{"message":"no"}}', '{"data":[null]}', '{"data":["x"]}', '{"data":[{}]}'])(
    'of a read is no answer of the API after four times: %s',
    async (body) => {
      const { client, sent } = agency({ body }, { body }, { body }, { body });
      await expect(client.request(companies, {})).rejects.toMatchObject({
        message: "https://agency.example returned a response that is not from the agency's API.",
        status: 200,
      });
      expect(sent).toHaveLength(4);
    },
  );

  test.each([...FOREIGN, '{"error":{"code":"CONFLICT","message":"no"}}'])(
    'of a write leaves unknown whether it was done, and is sent again with its key: %s',
    async (body) => {
      const { client, sent } = agency({ body }, { body }, { body }, { body });
      await expect(client.request('POST /documents', filing)).rejects.toMatchObject({
        message: expect.stringContaining('it is not known whether this was done'),
        description: expect.stringMatching(/More about retries:\n\S+$/),
      });
      expect(sent.map(({ headers }) => headers?.['Idempotency-Key'])).toEqual(['k', 'k', 'k', 'k']);
    },
  );

  test("that is the agency's only the second time is taken then", async () => {
    const { client } = agency({ body: '' }, { body: '{"id":"d","stage":"inbox"}' });
    const answer = await client.request('POST /documents', filing);
    expect(answer.body).toEqual({ id: 'd', stage: 'inbox' });
  });

  test.each([
    ['a preview for a change', {}, { dryRun: true, changes: [], result: { id: 'c', name: 'C' } }],
    ['a company for a dry run', { dryRun: true }, { id: 'c', name: 'C' }],
  ])('is not %s', async (_, query, answer) => {
    const body = JSON.stringify(answer);
    const { client } = agency({ body }, { body }, { body }, { body });
    const call = { path: { id: 'c' }, query, body: {} };
    await expect(client.request('PATCH /companies/{id}', call)).rejects.toThrow("not from the agency's API");
  });

  test.each(['[]', 'null', '"x"', '<html>', '{"error":{}}', '{"error":"x"}'])(
    'of a removal is not %s',
    async (body) => {
      const { client } = agency({ body }, { body }, { body }, { body });
      const removal = client.request('DELETE /webhook-endpoints/{id}', { path: { id: 'e' } });
      await expect(removal).rejects.toThrow("not from the agency's API");
    },
  );

  test('shows neither the key nor what a redirect holds besides its address', async () => {
    const error = { code: 'VALIDATION_ERROR', message: 'Bearer key_1 is odd', details: { key_1: ['key_1'] } };
    const thrownFor = async (answer: Answer) => {
      const client = new AgencyClient(
        async () => {
          if (answer instanceof Error) throw answer;
          return { statusCode: 200, headers: {}, body: '', ...answer };
        },
        'https://agency.example',
        { clock: new FakeClock(), secret: 'key_1' },
      );
      return await client.request(companies, {}).catch((thrown: unknown) => thrown);
    };
    const refused = await thrownFor({ statusCode: 422, body: JSON.stringify({ error }) });
    expect(refused).toBeInstanceOf(AgencyError);
    expect(JSON.stringify(refused) + String(refused)).not.toContain('key_1');
    const location = 'https://store.example/file?sig=s3cret#s3cret';
    const redirected = await thrownFor({ statusCode: 302, headers: { location } });
    expect(String(redirected)).toContain('a redirect to https://store.example/file, which');
    const broke = await thrownFor(Object.assign(new Error('key_1 broke'), { code: 'ERR_ODD' }));
    expect(String(broke)).toContain('[redacted] broke');
  });

  test('is an error with what the API said', async () => {
    const error = {
      code: 'VALIDATION_ERROR',
      message: 'Invalid.',
      hint: 'Look.',
      details: {
        issues: [{ path: ['a', 0], message: 'is wrong' }, { path: 'b', message: '' }, 'odd', { at: 'c' }, 7],
      },
    };
    const { client } = agency({
      statusCode: 422,
      headers: { 'x-request-id': 'req_1' },
      body: JSON.stringify({ error }),
    });
    const thrown = await client.request(companies, {}).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(AgencyError);
    expect(thrown).toMatchObject({
      message: 'The agency did not accept the request: a.0: is wrong; b: is not accepted; odd',
      description: 'Correct these fields and run it again. Nothing was changed.',
      status: 422,
      code: 'VALIDATION_ERROR',
      hint: 'Look.',
      issues: [
        { path: 'a.0', message: 'is wrong' },
        { path: 'b', message: 'is not accepted' },
        { path: '', message: 'odd' },
      ],
      requestId: 'req_1',
    });
  });

  test.each([
    { error: 'no' },
    { error: {} },
    { error: { code: 7 } },
    { error: null },
    { code: 'NOT_FOUND', message: 'x' },
  ])('is not taken for an error of the API: %p', async (body) => {
    const { client } = agency({ statusCode: 404, body: JSON.stringify(body) });
    await expect(client.request(companies, {})).rejects.toMatchObject({ code: undefined, status: 404 });
  });

  test('with a code that this version does not know keeps the words of the API', async () => {
    const error = { code: 'constructor', message: 'New rule.' };
    const { client } = agency({ statusCode: 400, body: JSON.stringify({ error }) });
    await expect(client.request(companies, {})).rejects.toMatchObject({
      message: 'The agency returned an error: New rule.',
      code: 'constructor',
    });
  });

  test('of a download is a stream, and an error in it is read', async () => {
    const error = { code: 'NOT_FOUND', message: 'Gone.' };
    const { client } = agency(
      { body: Readable.from([Buffer.from('ab'), Buffer.from('c')]) },
      { statusCode: 404, body: Readable.from([Buffer.from(JSON.stringify({ error }))]) },
    );
    const read = async (bytes: Readable) => Buffer.concat(await bytes.toArray()).toString();
    expect((await client.download(content, { path: { id: 'd' } }, read)).body).toBe('abc');
    await expect(client.download(content, { path: { id: 'd' } }, read)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('of a download that n8n cannot store is the error of n8n, and not tried again', async () => {
    const { client, sent } = agency({ body: Readable.from([Buffer.from('ab')]) });
    const full = async () => {
      throw Object.assign(new Error('no space left on device.'), { code: 'ENOSPC' });
    };
    await expect(client.download(content, { path: { id: 'd' } }, full)).rejects.toMatchObject({
      name: 'Error',
      message: 'no space left on device.',
      code: 'ENOSPC',
    });
    expect(sent).toHaveLength(1);
  });
});

test('An answer that never ends is given up before it fills the memory', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1024 * 1024, ' ');
    })(),
  );
  const client = new AgencyClient(
    async () => ({ statusCode: 200, headers: {}, body: endless }),
    'https://agency.example',
    { attempts: 1 },
  );
  await expect(client.request(companies, {})).rejects.toThrow("not from the agency's API");
  expect(endless.destroyed).toBe(true);
});

describe("What is not the agency's", () => {
  test.each([new TypeError('x is not a function'), new RangeError('odd')])(
    'passes as it is: %s',
    async (own) => {
      const { client, sent } = agency(own);
      await expect(client.request(companies, {})).rejects.toBe(own);
      expect(sent).toHaveLength(1);
    },
  );

  test("passes as it is, also where n8n's store breaks off while a file is opened", async () => {
    const store = broken();
    const { client, sent } = agency({});
    const file = { mimeType: 'text/csv', length: 3, open: async () => await Promise.reject(store) };
    await expect(client.request('POST /files', { query: { filename: 'a.csv' }, file })).rejects.toBe(store);
    expect(sent).toHaveLength(0);
  });
});

describe('A request as a whole', () => {
  test('ends within ten minutes, whatever each attempt takes', async () => {
    const clock = new FakeClock();
    const start = clock.now();
    const timeouts: number[] = [];
    const client = new AgencyClient(
      async ({ timeout = 0 }) => {
        timeouts.push(timeout);
        await clock.sleep(timeout);
        throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
      },
      'https://agency.example',
      { clock },
    );
    const open = async () => Buffer.from('abc');
    const file = { mimeType: 'text/csv', length: 20_000_000, open };
    await expect(client.request('POST /files', { query: { filename: 'a.csv' }, file })).rejects.toThrow(
      'could not be reached',
    );
    expect(timeouts[0]).toBe(300_000);
    expect(clock.now() - start).toBeLessThanOrEqual(600_000);
  });
});

describe('A pause that the agency asks for', () => {
  test('of another request does not lead past the ten minutes of one', async () => {
    const clock = new FakeClock();
    const timeouts: number[] = [];
    const client = new AgencyClient(
      async ({ timeout = 0, url }) => {
        timeouts.push(timeout);
        // One that is answered only when the first one already waits until shortly before its end.
        if (url.endsWith('/documents')) await clock.sleep(100_000);
        else if (timeouts.length === 5) void client.request('GET /documents', {}).catch(() => undefined);
        return { statusCode: 429, headers: { 'retry-after': '118' }, body: '' };
      },
      'https://agency.example',
      { clock },
    );
    await expect(client.request(companies, {})).rejects.toThrow('too many requests');
    expect(Math.min(...timeouts)).toBeGreaterThan(0);
  });

  test.each([429, 503, 502, 408])('with status %i holds back the next attempt', async (statusCode) => {
    const { client, clock } = agency({ statusCode, headers: { 'retry-after': '100' }, body: '<html>' }, {});
    const start = clock.now();
    await client.request(companies, {});
    expect(clock.now() - start).toBeGreaterThanOrEqual(100_000);
  });

  test('holds back every request of the client', async () => {
    const { client, clock } = agency({ statusCode: 429, headers: { 'retry-after': '60' }, body: '' }, {}, {});
    const start = clock.now();
    await client.request(companies, {});
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000);
  });

  test('of more than two minutes ends the request', async () => {
    const { client, clock } = agency({ statusCode: 429, headers: { 'retry-after': '121' }, body: '' });
    await expect(client.request(companies, {})).rejects.toMatchObject({
      message: 'The agency does not accept requests with this key for the next 3 minutes.',
      status: 429,
    });
    expect(clock.slept).toEqual([]);
  });
});
