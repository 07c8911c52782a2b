import type { IncomingMessage } from 'node:http';

/** A request on its way through a proxy. */
export interface Asked {
  method: string;
  /** Below `/api/v1`, e.g. `/companies/cmp_1`, percent-encoded as it came. */
  path: string;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/** An answer on its way back. */
export interface Answered {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

const PREFIX = '/api/v1';
/** What holds for one connection only. */
const OF_A_CONNECTION = [
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
];

/** A request as it came in, with its whole body. */
export async function askedOf(incoming: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const { pathname, searchParams } = new URL(String(incoming.url), 'http://proxy');
  return {
    method: String(incoming.method),
    path: pathname.replace(PREFIX, ''),
    query: searchParams,
    headers: passedOn(Object.entries(incoming.headers)),
    body: Buffer.concat(chunks),
  };
}

/** What an agency answers to a request. */
export async function forward(agency: string, asked: Asked): Promise<Answered> {
  const { method, path, query, headers, body } = asked;
  const search = query.size === 0 ? '' : `?${query}`;
  const answer = await fetch(`${agency}${PREFIX}${path}${search}`, {
    method,
    headers,
    body: body.length === 0 ? undefined : new Uint8Array(body),
    redirect: 'manual',
  });
  return {
    status: answer.status,
    headers: passedOn([...answer.headers]),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

function passedOn(headers: Array<[string, unknown]>): Record<string, string> {
  const kept = headers.filter(([name]) => !OF_A_CONNECTION.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
