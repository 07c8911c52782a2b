import type { Agent } from 'node:http';
import { send } from './send';

/** An answer, its body parsed. */
export interface JsonAnswer {
  status: number;
  headers: Headers;
  /** Empty when the answer is not JSON. */
  body: Record<string, unknown>;
  text: string;
}

interface JsonCall {
  method: string;
  path: string;
  key: string;
  body?: unknown;
  bytes?: Buffer;
  headers?: Record<string, string>;
}

/** Calls the API with JSON, or with bytes, and reads the JSON of the answer. */
export const apiOf =
  (url: string, agent: Agent) =>
  async ({ method, path, key, body, bytes, headers = {} }: JsonCall): Promise<JsonAnswer> => {
    const json = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const type: Record<string, string> = json === null ? {} : { 'content-type': 'application/json' };
    const answer = await send(url, agent, {
      method,
      target: `/api/v1${path}`,
      headers: { authorization: `Bearer ${key}`, ...type, ...headers },
      body: bytes ?? json,
    });
    const text = answer.body.toString('utf8');
    const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json');
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : {}, text };
  };
