import type { BinaryHelperFunctions, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { API_PATH } from './address';

const JSON_TIMEOUT_MS = 60_000;
const FILE_TIMEOUT_MS = 300_000;

/** A stream of bytes as n8n's binary helpers give and take it. */
export type ByteStream = Awaited<ReturnType<BinaryHelperFunctions['getBinaryStream']>>;

/** The bytes of an upload. `open` is called anew for every attempt. */
export interface FileBody {
  open: () => Promise<Buffer | ByteStream>;
  /** Exact number of bytes. */
  length: number;
  mimeType: string;
}

/** One request, in the terms of the API. */
export interface AgencyCall {
  method: IHttpRequestMethods;
  /** Below `{base_url}`, made with the tag `path`. */
  path: string;
  /** Parameters without a value are left out. */
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  body?: object;
  file?: FileBody;
  idempotencyKey?: string;
  ifMatch?: string;
  approvalId?: string;
}

/** Whether a body is a stream of bytes. */
export function isStream(body: unknown): body is ByteStream {
  return typeof body === 'object' && body !== null && 'pipe' in body;
}

/** What n8n's helper is given. Made anew for every attempt: the helper writes the key into `headers`. */
export async function requestOptions(
  origin: string,
  { method, path, query = {}, body, file, idempotencyKey, ifMatch, approvalId }: AgencyCall,
  encoding: 'text' | 'stream',
  patienceMs = JSON_TIMEOUT_MS,
): Promise<IHttpRequestOptions> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const headers = {
    Accept: encoding === 'text' ? 'application/json' : 'application/octet-stream',
    ...(body && { 'Content-Type': 'application/json' }),
    ...(file && { 'Content-Type': file.mimeType, 'Content-Length': String(file.length) }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(approvalId !== undefined && { 'Approval-Id': approvalId }),
  };
  return {
    method,
    url: `${origin}${API_PATH}${path}${search.size === 0 ? '' : `?${search}`}`,
    headers,
    // As text, since the helper drops an empty object.
    body: file ? await file.open() : body && JSON.stringify(body),
    encoding,
    timeout: file || encoding === 'stream' ? FILE_TIMEOUT_MS : patienceMs,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true,
  };
}
