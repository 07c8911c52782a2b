import type { Agency } from '../agency/agency';
import type { Principal } from '../access/authentication';
import type { ApiError } from './errors';
import type { Blob } from '../store/blobs';

/** A request that was authenticated, is within its scope, and keeps to the contract. */
export interface Call {
  operationId: string;
  principal: Principal;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The JSON body. */
  body: unknown;
  /** The bytes that an operation takes instead of JSON. */
  upload?: Blob;
}

/** What an operation answers. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /** JSON; undefined: an empty answer. */
  body?: unknown;
  /** The name of a blob, or the text, that is answered as raw bytes instead. */
  content?: { blob: string } | { text: string };
}

/**
 * Does one operation. Synchronous ones run in one transaction with what makes them happen once, so a
 * success is stored whole. @throws ApiError: nothing is stored.
 */
export type Operation = (call: Call, agency: Agency) => Reply | Promise<Reply>;

/** The answer 200. */
export const ok = (body: unknown, headers?: Record<string, string>): Reply => ({
  status: 200,
  body,
  headers,
});

/** The answer 201. */
export const created = (body: unknown): Reply => ({ status: 201, body });

/** A refusal that keeps what the operation stored before it. */
export const refused = (error: ApiError): Reply => ({
  status: error.status,
  body: error.body(),
  headers: error.headers,
});

/** A header that was sent once. */
export function header(call: Pick<Call, 'headers'>, name: string): string | undefined {
  const value = call.headers[name];
  return typeof value === 'string' ? value : undefined;
}
