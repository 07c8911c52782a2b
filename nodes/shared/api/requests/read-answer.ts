import { sleep } from 'n8n-workflow';
import { isRecord, jsonOf } from '../../values/json';
import { EXPECTED_ANSWERS, type RecordShape } from '../expected-answers';
import type { Answer, ByteStream, JsonRoute } from '../routes';
import type { Clock } from './wait';

/** Whether a body is a stream of bytes. */
export function isStream(body: unknown): body is ByteStream {
  return typeof body === 'object' && body !== null && 'pipe' in body;
}

/** A body that has brought no byte for this long is given up, in milliseconds. */
const LONGEST_SILENCE_MS = 60_000;

/** Short, so that a timer does not outlive its request by much. */
const LOOK_EVERY_MS = 250;

/** Has the code of a connection that timed out, by which it is told from other errors. */
class Stalled extends Error {
  readonly code = 'ETIMEDOUT';
}

/** A stream that is watched. */
interface Watch {
  /** To be called by the reader with every chunk. */
  progress: () => void;
  /**
   * Rejects when the bytes stop coming. It is needed, since the HTTP library's stream does not end when it is destroyed
   * while it waits for a byte.
   */
  silence: Promise<never>;
}

/**
 * Watches a stream until it ends: when no byte has come for a minute, or the time of the whole request is over, it is
 * destroyed. The HTTP library itself only watches until the headers of an answer have come.
 *
 * @param until in milliseconds since the epoch, as `clock` has them
 */
export function watched(source: ByteStream, until: number, clock: Clock): Watch {
  let last = clock.now();
  const silence = new Promise<never>((_, reject) => {
    const watch = async () => {
      while (!source.destroyed && !source.readableEnded) {
        if (clock.now() < Math.min(last + LONGEST_SILENCE_MS, until)) await sleep(LOOK_EVERY_MS);
        else {
          const stalled = new Stalled('timeout');
          source.destroy(stalled);
          reject(stalled);
        }
      }
    };
    void watch();
  });
  const progress = () => {
    last = clock.now();
  };
  return { progress, silence };
}

/** The same bytes; `progress` is called with every chunk. */
export function withProgress(bytes: ByteStream, progress: () => void): ByteStream {
  return bytes.map((chunk) => {
    progress();
    return chunk;
  });
}

/** An answer that goes on for longer would fill the memory of all of n8n. In bytes. */
const LONGEST_TEXT = 64 * 1024 * 1024;

/**
 * The bytes of a stream as text (UTF-8, without the mark that some servers begin it with).
 *
 * @param longest in bytes: not much more than that is read, and the rest is missing
 * @param progress is called with every chunk; quicker than `withProgress`
 */
export async function textOf(bytes: ByteStream, longest: number, progress?: () => void): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    progress?.();
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    chunks.push(part);
    length += part.length;
    if (length > longest) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * The JSON of a 2xx answer; `{}` for a removal that is answered with nothing, and `undefined` for an answer that is not
 * the agency's: a proxy or a broken server answers 2xx with anything.
 *
 * @param isDryRun a dry run is answered with its preview, and nothing else is
 * @param progress is called with every chunk
 */
export async function readAnswer<R extends JsonRoute>(
  route: R,
  isDryRun: boolean,
  body: unknown,
  progress: () => void,
): Promise<Answer<R> | undefined> {
  const text = isStream(body) ? await textOf(body, LONGEST_TEXT, progress) : body;
  const answer = text === '' || text === undefined ? {} : jsonOf(text);
  return isExpected(route, isDryRun, answer) ? answer : undefined;
}

/**
 * Whether a 2xx answer has the fields that identify what the contract promises. The others are taken as the contract has
 * them.
 *
 * @param body the parsed JSON; `{}` for an answer without a body
 */
function isExpected<R extends JsonRoute>(route: R, isDryRun: boolean, body: unknown): body is Answer<R> {
  const { record, rows, preview, anything } = EXPECTED_ANSWERS[route];
  if (isRecord(body) && isRecord(body.error)) return false;
  if (rows !== undefined) return isRecord(body) && areRows(body.data, rows);
  if (isDryRun) return preview !== undefined && hasShape(body, preview);
  if (anything) return isRecord(body);
  // Only a removal is answered with nothing.
  if (record === undefined) return isRecord(body) && !('error' in body);
  // A change that was answered with a preview was not made.
  const isPreview = preview !== undefined && hasShape(body, preview);
  return hasShape(body, record) && !isPreview && Object.keys(body).length > 0;
}

/** A field of a shape, taken apart once for all rows of a page. */
interface ExpectedField {
  name: string;
  /** Its JSON type, or the fields that it has itself. */
  type: string | ExpectedField[];
  mayBeEmpty: boolean;
}

/** Nothing says of other texts that they are not empty. */
const NEVER_EMPTY = /(^id|Id|secret)$/;

function fieldsOf(shape: RecordShape): ExpectedField[] {
  return Object.entries(shape).map(([name, type]) => ({
    name,
    type: typeof type === 'string' ? type : fieldsOf(type),
    mayBeEmpty: !NEVER_EMPTY.test(name),
  }));
}

function areRows(data: unknown, shape: RecordShape): boolean {
  const fields = fieldsOf(shape);
  return Array.isArray(data) && data.every((row) => hasFields(row, fields));
}

function hasShape(value: unknown, shape: RecordShape): value is Record<string, unknown> {
  return hasFields(value, fieldsOf(shape));
}

function hasFields(value: unknown, fields: ExpectedField[]): boolean {
  return isRecord(value) && fields.every((field) => hasType(value[field.name], field));
}

function hasType(value: unknown, { type, mayBeEmpty }: ExpectedField): boolean {
  if (typeof type !== 'string') return hasFields(value, type);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type && (mayBeEmpty || value !== '');
}
