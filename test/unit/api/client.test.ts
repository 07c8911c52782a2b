import { Readable } from 'node:stream';
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { AgencyClient, type AgencyCall } from '../../../nodes/shared/api/client';
import { AgencyError } from '../../../nodes/shared/api/errors';
import { FakeClock } from '../../support/clock';

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
      return { statusCode: 200, headers: {}, body: '{}', ...answer };
    },
    'https://agency.example',
    { clock },
  );
  return { client, sent, clock };
}

const broken = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' });
const companies: AgencyCall = { method: 'GET', path: '/companies' };

describe('What is sent', () => {
  test('is a plain request: status errors ignored, no redirects, the answer as text', async () => {
    const { client, sent } = agency({});
    await client.request(companies);
    expect(sent).toEqual([
      {
        method: 'GET',
        url: 'https://agency.example/api/v1/companies',
        headers: { Accept: 'application/json' },
        body: undefined,
        encoding: 'text',
        timeout: 60_000,
        returnFullResponse: true,
        ignoreHttpStatusErrors: true,
        disableFollowRedirect: true,
      },
    ]);
  });

  test('has its parameters encoded, without those that have no value', async () => {
    const { client, sent } = agency({});
    const query = { query: 'a&b=c +ä', limit: 5, dryRun: true, cursor: undefined };
    await client.request({ ...companies, query });
    expect(sent[0]?.url).toBe(
      'https://agency.example/api/v1/companies?query=a%26b%3Dc+%2B%C3%A4&limit=5&dryRun=true',
    );
  });

  test('is JSON with the headers of a write, an empty object included', async () => {
    const { client, sent } = agency({});
    await client.request({
      method: 'POST',
      path: '/x',
      body: {},
      idempotencyKey: 'k',
      ifMatch: '3',
      approvalId: 'apr_1',
    });
    expect(sent[0]?.body).toBe('{}');
    expect(sent[0]?.headers).toEqual({
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'Idempotency-Key': 'k',
      'If-Match': '3',
      'Approval-Id': 'apr_1',
    });
  });

  test('has headers of its own in every attempt, since the helper writes the key into them', async () => {
    const { client, sent } = agency(broken(), {});
    await client.request(companies);
    expect(sent[0]?.headers).not.toBe(sent[1]?.headers);
  });

  test('of a file is a stream that is opened anew for every attempt, and closed after it', async () => {
    const streams: Readable[] = [];
    const open = async () => {
      const stream = Readable.from([Buffer.from('abc')]);
      streams.push(stream);
      return stream;
    };
    const { client, sent } = agency(broken(), { statusCode: 503, body: '' }, {});
    await client.request({ method: 'POST', path: '/files', file: { open, length: 3, mimeType: 'text/csv' } });
    expect(sent.map(({ body }) => body)).toEqual(streams);
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
    expect(sent[0]).toMatchObject({
      headers: { 'Content-Type': 'text/csv', 'Content-Length': '3' },
      timeout: 300_000,
    });
  });
});

describe('What comes back', () => {
  test('is the status, the headers and the body', async () => {
    const { client } = agency({ statusCode: 201, headers: { etag: '"3"' }, body: '{"id":"1"}' });
    expect(await client.request(companies)).toEqual({
      status: 201,
      headers: { etag: '"3"' },
      body: { id: '1' },
    });
  });

  test('without a body is an empty object', async () => {
    const { client } = agency({ statusCode: 204, body: '' });
    expect((await client.request(companies)).body).toEqual({});
  });

  test.each(['[]', '"text"', '1', 'null', 'true', '<html>', '{"id":'])(
    'is no answer of the API: %s',
    async (body) => {
      const { client } = agency({ body });
      await expect(client.request(companies)).rejects.toThrow(
        "https://agency.example answered with status 200, but not in the way of the accounting agency's API.",
      );
    },
  );

  test('is an error with what the API said', async () => {
    const error = {
      code: 'VALIDATION_ERROR',
      message: 'Invalid.',
      hint: 'Look.',
      details: { issues: [{ path: ['a', 0], message: 'is wrong' }, { path: 'b', message: '' }, 'odd'] },
    };
    const { client } = agency({
      statusCode: 422,
      headers: { 'x-request-id': 'req_1' },
      body: JSON.stringify({ error }),
    });
    const thrown = await client.request(companies).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(AgencyError);
    expect(thrown).toMatchObject({
      message: 'The agency did not accept the request: a.0: is wrong; b: is not accepted',
      description:
        'Correct the named fields and run it again. Nothing was changed.\nThe agency adds: Look.\nRequest ID: req_1',
      status: 422,
      code: 'VALIDATION_ERROR',
      hint: 'Look.',
      issues: [
        { path: 'a.0', message: 'is wrong' },
        { path: 'b', message: 'is not accepted' },
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
    await expect(client.request(companies)).rejects.toMatchObject({ code: undefined, status: 404 });
  });

  test('with a code that this version does not know keeps the words of the API', async () => {
    const error = { code: 'constructor', message: 'New rule.' };
    const { client } = agency({ statusCode: 400, body: JSON.stringify({ error }) });
    await expect(client.request(companies)).rejects.toThrow('The agency answered constructor: New rule.');
  });

  test('of a download is a stream, and an error in it is read', async () => {
    const error = { code: 'NOT_FOUND', message: 'Gone.' };
    const { client } = agency(
      { body: Readable.from([Buffer.from('ab'), Buffer.from('c')]) },
      { statusCode: 404, body: Readable.from([Buffer.from(JSON.stringify({ error }))]) },
    );
    const read = async (bytes: Readable) => Buffer.concat(await bytes.toArray()).toString();
    expect((await client.download(companies, read)).body).toBe('abc');
    await expect(client.download(companies, read)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('of a download that n8n cannot store is told so, and not tried again', async () => {
    const { client, sent } = agency({ body: Readable.from([Buffer.from('ab')]) });
    const full = async () => {
      throw Object.assign(new Error('no space left on device.'), { code: 'ENOSPC' });
    };
    await expect(client.download(companies, full)).rejects.toThrow(
      'n8n could not store the file: no space left on device.',
    );
    expect(sent).toHaveLength(1);
  });
});

describe('A pause that the agency asks for', () => {
  test('holds back every request of the client', async () => {
    const { client, clock } = agency({ statusCode: 429, headers: { 'retry-after': '60' }, body: '' }, {}, {});
    const start = clock.now();
    await client.request(companies);
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000);
  });

  test('of more than two minutes ends the request', async () => {
    const { client, clock } = agency({ statusCode: 429, headers: { 'retry-after': '121' }, body: '' });
    await expect(client.request(companies)).rejects.toMatchObject({
      message: 'The agency takes no requests of this key for the next 121 seconds.',
      status: 429,
    });
    expect(clock.slept).toEqual([]);
  });
});
