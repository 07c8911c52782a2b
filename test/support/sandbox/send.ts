import { type Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request as it goes over the wire. */
export interface WireRequest {
  method: string;
  /** Path and query, in printable ASCII. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** An answer as it came over the wire. */
export interface WireAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** An answer later than this is a hang. */
const PATIENCE_MS = 18_000;

/** @throws Error when the server does not answer in time, or breaks the connection. */
export const send = (
  url: string,
  agent: Agent,
  { method, target, headers, body }: WireRequest,
  timeoutMs = PATIENCE_MS,
): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === null ? {} : { 'content-length': String(body.length) };
    const call = request({
      hostname,
      port,
      method,
      path: target,
      headers: { ...headers, ...length },
      agent,
      timeout: timeoutMs,
    });
    call.on('response', (response) => {
      const fields = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const answer = { status: response.statusCode ?? 0, headers: new Headers(fields) };
      buffer(response).then((bytes) => resolve({ ...answer, body: bytes }), reject);
    });
    call.on('timeout', () =>
      call.destroy(new Error(`No answer within ${timeoutMs} ms to ${method} ${target}`)),
    );
    call.on('error', reject);
    call.end(body);
  });
