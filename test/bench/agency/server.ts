import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Feed } from './feed';
import { Gate } from './gate';
import { ListOf } from './list';
import { company, companyPeriod, documentNumber, fileNumber, settingsOf } from './records';

/**
 * The part of the agency that the measurements need, doing as little as it can, so that they measure the callers:
 * precomputed pages, uploads that are counted and thrown away, one large download.
 */
/** Sizes of the downloads, by the ids of their documents. */
const DOWNLOADS: Record<string, number> = { small: 2 * 1024 * 1024, large: 48 * 1024 * 1024 };
const NOTHING_COUNTED = { requests: 0, rows: 0, files: 0, documents: 0, approvals: 0 };

const { values } = parseArgs({
  options: { latency: { type: 'string', default: '0' }, events: { type: 'string', default: '0' } },
});
const latencyMs = Number(values.latency);

const documents = new ListOf(20_000, documentNumber);
const companyPeriods = new ListOf(2_000, companyPeriod);
const feed = new Feed(Number(values.events));
const gate = new Gate();
const counts = { ...NOTHING_COUNTED };
let isApproved = false;

/** A call to the API. */
interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  /** What stands in the path in the place of an id. */
  id: string;
}

type Answer = (call: Call) => Promise<void> | void;

/** By method and path below `/api/v1`, with `*` for an id. */
const ANSWERS: Record<string, Answer> = {
  'GET /documents': (call) => page(documents, call),
  'GET /company-periods': (call) => page(companyPeriods, call),
  'GET /companies/*': ({ response, id }) => reply(response, 200, company(id)),
  'GET /documents/*': ({ response, id }) => {
    const sizeBytes = DOWNLOADS[id];
    const document = { ...documentNumber(1), id };
    if (sizeBytes === undefined) return reply(response, 200, document);
    const file = { sizeBytes, mimeType: 'application/pdf', sha256: '0'.repeat(64) };
    return reply(response, 200, { ...document, file });
  },
  'GET /documents/*/content': async ({ response, id }) => await sendContent(response, DOWNLOADS[id] ?? 0),
  'POST /files': ({ response, url }) => {
    counts.files += 1;
    const name = url.searchParams.get('filename') ?? '';
    reply(response, 201, fileNumber(counts.files, name, lengths.get(response) ?? 0));
  },
  'POST /documents': async ({ request, response }) => {
    const { filename } = await jsonOf(request);
    counts.documents += 1;
    const createdAt = new Date().toISOString();
    const made = documentNumber(documents.length + counts.documents);
    feed.recognized(made.id);
    reply(response, 201, { ...made, name: filename, originalFilename: filename, createdAt });
  },
  'GET /events': ({ response, url }) => {
    const limit = Number(url.searchParams.get('limit') ?? 50);
    reply(response, 200, feed.page(Number(url.searchParams.get('after') ?? 0), limit));
  },
  'PATCH /companies/*/settings': ({ request, response, id }) => {
    const approvalId = request.headers['approval-id'];
    if (approvalId !== undefined && isApproved) return reply(response, 200, settingsOf(id));
    if (approvalId === undefined) counts.approvals += 1;
    const code = approvalId === undefined ? 'APPROVAL_REQUIRED' : 'APPROVAL_PENDING';
    const details = {
      approvalId: approvalId ?? `apr_${id}`,
      approvalUrl: `https://agency.example/approvals/${id}`,
      expiresAt: '2126-11-27T10:00:00.000Z',
      reason: 'A change of the agent switches',
    };
    return reply(response, 403, { error: { code, message: 'An administrator decides.', details } });
  },
  'PATCH /webhook-endpoints/*': ({ response, id }) => {
    const at = new Date().toISOString();
    const seen = { lastSuccessAt: null, lastFailureAt: null, description: null, createdAt: at };
    reply(response, 200, { id, url: 'https://n8n.example', eventTypes: ['*'], enabled: true, ...seen });
  },
  // Nothing is delivered, so that only what the trigger asks for is measured.
  'POST /webhook-endpoints/*/test': ({ response }) => reply(response, 200, { delivered: false }),
  'GET /webhook-endpoints/*/deliveries': ({ response }) =>
    reply(response, 200, { data: [], nextCursor: null }),
};

/** Bytes that were uploaded with a request, by its answer. */
const lengths = new WeakMap<ServerResponse, number>();

function page(list: ListOf<object>, { response, url }: Call): void {
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const limit = Number(url.searchParams.get('limit') ?? 50);
  counts.rows += Math.min(limit, list.length - from);
  reply(response, 200, list.page(from, limit));
}

/** Counts the bytes of an upload, which waits in its middle while the gate is closed. */
async function lengthOf(request: IncomingMessage): Promise<number> {
  const middle = Number(request.headers['content-length'] ?? 0) / 2;
  let length = 0;
  let held = false;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (held || length < middle) return;
    held = true;
    request.pause();
    void gate.pass().then(() => request.resume());
  });
  await once(request, 'end');
  return length;
}

async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Object(JSON.parse(Buffer.concat(chunks).toString() || '{}'));
}

async function sendContent(response: ServerResponse, length: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': length });
  const chunk = Buffer.alloc(64 * 1024, 7);
  for (let sent = 0; sent < length; sent += chunk.length) {
    if (sent === length / 2) await gate.pass();
    if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

function reply(response: ServerResponse, status: number, body: Buffer | object): void {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}

async function api(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  counts.requests += 1;
  const path = url.pathname.replace('/api/v1', '');
  const [, list, id, rest = ''] = /^(\/[\w-]+)(?:\/([\w-]+))?(\/\w+)?$/.exec(path) ?? [];
  const name = `${request.method} ${list}${id === undefined ? '' : '/*'}${rest}`;
  if (name === 'POST /files') lengths.set(response, await lengthOf(request));
  if (latencyMs > 0) await wait(latencyMs);
  const answer = ANSWERS[name];
  if (answer !== undefined) return await answer({ request, response, url, id: id ?? '' });
  reply(response, 404, { error: { code: 'NOT_FOUND', message: `Not part of the measurements: ${name}` } });
}

async function control(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  if (url.pathname === '/_bench/reset') {
    Object.assign(counts, NOTHING_COUNTED);
    isApproved = false;
  }
  if (url.pathname === '/_bench/gate') gate.set((await jsonOf(request)).closed === true);
  if (url.pathname === '/_bench/approve') isApproved = true;
  reply(response, 200, { ...counts, held: gate.held });
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const work = url.pathname.startsWith('/_bench/') ? control : api;
  work(request, response, url).catch((reason: unknown) => response.destroy(Object(reason)));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
});
process.on('SIGTERM', () => process.exit(0));
