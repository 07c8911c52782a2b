import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Gate } from './gate';
import { documentNumber, fileNumber } from './records';

/**
 * The part of the agency that the measurements need, doing as little as it can, so that they measure the callers:
 * precomputed pages of documents, uploads that are counted and thrown away, one large download.
 */
const ROWS = 20_000;
const PAGE = 200;
/** Sizes of the downloads, by the ids of their documents. */
const DOWNLOADS: Record<string, number> = { small: 2 * 1024 * 1024, large: 48 * 1024 * 1024 };

const { values } = parseArgs({ options: { latency: { type: 'string', default: '0' } } });
const latencyMs = Number(values.latency);

const pages = new Map<number, Buffer>();
for (let from = 0; from < ROWS; from += PAGE) pages.set(from, page(from, PAGE));

const gate = new Gate();
const counts = { requests: 0, rows: 0, files: 0, documents: 0 };

function page(from: number, limit: number): Buffer {
  const data = Array.from({ length: Math.min(limit, ROWS - from) }, (_, row) => documentNumber(from + row));
  const next = from + data.length;
  return Buffer.from(JSON.stringify({ data, nextCursor: next < ROWS ? String(next) : null }));
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
  const call = `${request.method} ${url.pathname.replace('/api/v1', '')}`;
  const size = request.method === 'POST' && call === 'POST /files' ? await lengthOf(request) : 0;
  const body = call === 'POST /documents' ? await jsonOf(request) : {};
  if (latencyMs > 0) await wait(latencyMs);
  if (call === 'GET /documents') {
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const limit = Number(url.searchParams.get('limit') ?? 50);
    counts.rows += Math.min(limit, ROWS - from);
    return reply(response, 200, (limit === PAGE && pages.get(from)) || page(from, limit));
  }
  if (call === 'POST /files') {
    counts.files += 1;
    return reply(response, 201, fileNumber(counts.files, url.searchParams.get('filename') ?? '', size));
  }
  if (call === 'POST /documents') {
    counts.documents += 1;
    return reply(response, 201, {
      ...documentNumber(counts.documents),
      name: body.filename,
      originalFilename: body.filename,
    });
  }
  const [, id = '', content] = /^GET \/documents\/(\w+)(\/content)?$/.exec(call) ?? [];
  const sizeBytes = DOWNLOADS[id] ?? 0;
  if (content !== undefined) return await sendContent(response, sizeBytes);
  if (id !== '') {
    const file = { sizeBytes, mimeType: 'application/pdf', sha256: '0'.repeat(64) };
    return reply(response, 200, { ...documentNumber(1), file });
  }
  reply(response, 200, { id: call });
}

async function control(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  if (url.pathname === '/_bench/reset')
    Object.assign(counts, { requests: 0, rows: 0, files: 0, documents: 0 });
  if (url.pathname === '/_bench/gate') gate.set((await jsonOf(request)).closed === true);
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
