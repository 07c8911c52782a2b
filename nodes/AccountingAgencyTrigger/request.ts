/** The part of n8n's request object that a call is read from. */
export interface IncomingRequest {
  headers: Record<string, unknown>;
  /** Set once the body has been read: by n8n before the node is asked, or by `readRawBody`. */
  rawBody?: unknown;
  readRawBody?: () => Promise<void>;
}

/**
 * The bytes of a call's body as they came. n8n reads bodies of JSON, text, form and XML itself; others are read here.
 *
 * @returns `undefined` when there are none, which is also said of a form with files: n8n has taken that apart
 */
export async function rawBodyOf(request: IncomingRequest): Promise<Buffer | undefined> {
  if (/^\s*multipart\//i.test(String(request.headers['content-type']))) return undefined;
  if (request.rawBody === undefined) {
    // Broken off or too large: then there is no body, and the call proves nothing.
    await Promise.allSettled([request.readRawBody?.()]);
  }
  return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}
