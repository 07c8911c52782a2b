import { createHash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { sha256 } from '../ids';
import { ApiError, invalid, tooLarge } from './errors';

/** More than the largest playbook takes, written in the longest way. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** No record nests half as deep. */
const MAX_DEPTH = 100;

async function readText(request: FastifyRequest): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > MAX_JSON_BYTES) throw tooLarge('A JSON body over 4 MB');
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  request.visit.logged.bodyLength = bytes.length;
  request.visit.logged.bodySha256 = sha256(bytes);
  return bytes.toString('utf8');
}

/**
 * The text of a JSON body; undefined: there is none.
 * @throws ApiError `VALIDATION_ERROR` when it is not JSON, `UNSUPPORTED_MEDIA_TYPE` when it says to be something else.
 */
export async function readJson(request: FastifyRequest): Promise<string | undefined> {
  const text = await readText(request);
  if (text.trim() === '') return undefined;
  const [essence = ''] = (request.headers['content-type'] ?? 'application/json').toLowerCase().split(';');
  if (essence.trim() !== 'application/json') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON.', {
      hint: 'Send it with "Content-Type: application/json".',
    });
  }
  if (isDeep(parseJson(text)))
    throw invalid([{ path: '', message: `is nested more than ${MAX_DEPTH} levels deep` }], 422);
  return text;
}

/** @throws ApiError `VALIDATION_ERROR` when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (reason) {
    throw invalid([
      { path: '', message: `The body is not JSON: ${reason instanceof Error ? reason.message : reason}` },
    ]);
  }
}

/** Whether a value is nested deeper than code that calls itself can follow. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((entry) =>
      typeof entry === 'object' && entry !== null ? Object.values(entry) : [],
    );
  }
  return false;
}

/**
 * Notes in the log what arrives of a body that nobody reads, since the request is refused.
 * Resolves when it has arrived, or broke off.
 */
export async function noteUnread({ raw, visit }: FastifyRequest): Promise<void> {
  const hash = createHash('sha256');
  let length = 0;
  raw.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    length += chunk.length;
  });
  await finished(raw).catch(() => undefined);
  visit.logged.bodyLength = length;
  visit.logged.bodySha256 = hash.digest('hex');
}
