import { Agent } from 'node:http';
import { type Api, apiOf, type JsonAnswer } from '../../../support/sandbox/api';
import type { Ready } from '../../../support/sandbox/sandbox-process';

/** What came of the load. */
export interface LoadResult {
  requests: number;
  /** Milliseconds of the slowest answer. */
  slowest: number;
  /** Answers that should not have been, as texts. */
  unexpected: string[];
  /** Ids of the documents that were acknowledged. */
  documents: string[];
}

/** Clients that work as a month end has it, all at once, until the time is over. */
export async function load(sandbox: Ready, clients: number, seconds: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const result: LoadResult = { requests: 0, slowest: 0, unexpected: [], documents: [] };
  const api = watched(apiOf(sandbox.url, agent), result);
  const end = performance.now() + seconds * 1000;
  try {
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let turn = 0; performance.now() < end; turn += 1) await work(api, sandbox, client, turn, result);
      }),
    );
  } finally {
    agent.destroy();
  }
  return result;
}

function watched(api: Api, result: LoadResult) {
  return async (expected: number[], call: Parameters<Api>[0]): Promise<JsonAnswer> => {
    const before = performance.now();
    const answer = await api(call);
    result.requests += 1;
    result.slowest = Math.max(result.slowest, performance.now() - before);
    if (!expected.includes(answer.status)) {
      result.unexpected.push(`${call.method} ${call.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer;
  };
}

/** One client's turn: looks something up, changes it, files a document twice with the same key, and follows the feed. */
async function work(
  call: ReturnType<typeof watched>,
  { keys, period }: Ready,
  client: number,
  turn: number,
  result: LoadResult,
) {
  const key = client % 2 === 0 ? keys.full : keys.other;
  const { body: found } = await call([200], { method: 'GET', path: `/companies?limit=200&query=o`, key });
  const companies: Array<{ id: string }> = Array.isArray(found.data) ? found.data : [];
  const company = companies[client % Math.max(1, companies.length)];
  if (company === undefined) return;

  const name = `client-${client}-${turn}`;
  const bytes = Buffer.from(`${name} of the load\n`);
  const headers = { 'content-type': 'text/plain', 'idempotency-key': `${name}:file` };
  const path = `/files?filename=${name}.txt`;
  const file = await call([201], { method: 'POST', path, key, bytes, headers });
  const create = {
    method: 'POST',
    path: '/documents',
    key,
    body: { fileId: file.body.id, companyId: company.id },
    headers: { 'idempotency-key': `${name}:document` },
  };
  // Both at once: one makes the document, the other is told so, or that the first still runs.
  const both = await Promise.all([call([201, 409], create), call([201, 409], create)]);
  const made = both.find(({ status }) => status === 201);
  if (made === undefined)
    result.unexpected.push(`Neither of two equal requests made the document of ${name}`);
  else result.documents.push(String(made.body.id));
  for (const { status, body } of both) {
    if (status === 201 && body.id !== made?.body.id) result.unexpected.push(`Two documents of ${name}`);
  }

  await call([200], { method: 'GET', path: `/documents/${String(made?.body.id)}`, key });
  const address = { address: `Jõe ${turn}` };
  await call([200], { method: 'PATCH', path: `/companies/${company.id}`, key, body: address });
  await call([200], {
    method: 'GET',
    path: `/company-periods?period=${period}&companyId=${company.id}`,
    key,
  });
  await call([200], { method: 'GET', path: `/events?companyId=${company.id}&type=company.updated`, key });
}

/** Every document of the agency that has this source, newest pages first. */
export async function documentsFrom(sandbox: Ready, source: string): Promise<string[]> {
  const agent = new Agent({ keepAlive: true });
  const api = apiOf(sandbox.url, agent);
  const ids: string[] = [];
  try {
    for (let cursor: unknown = ''; cursor !== null;) {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
      const { body } = await api({
        method: 'GET',
        path: `/documents?limit=200${query}`,
        key: sandbox.keys.full,
      });
      const page: Array<{ id: string; source: string }> = Array.isArray(body.data) ? body.data : [];
      ids.push(...page.filter((row) => row.source === source).map((row) => row.id));
      cursor = body.nextCursor ?? null;
    }
  } finally {
    agent.destroy();
  }
  return ids;
}
