import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { jsonOf } from '../../values/json';
import {
  errorOfAnswer,
  errorOfForeignAnswer,
  errorOfSilence,
  errorOfUnknownOutcome,
  isErrorBody,
} from '../errors/agency-error';
import { connectionFault, isPrematureEnd } from '../errors/network-errors';
import { redacted } from '../errors/redaction';
import type { ByteStream, Route } from '../routes';
import { isStream, textOf } from './read-answer';
import { type FailedAttempt, retryAdvice } from './retry';
import type { Clock } from './wait';

/** An error of the API is short; of anything else nothing is kept. In bytes. */
const LONGEST_REFUSAL = 1024 * 1024;
const LONGEST_REQUEST_ID = 200;

const RECORDS: Record<string, string> = {
  companies: 'company',
  documents: 'document',
  files: 'file',
  tasks: 'task',
  'webhook-endpoints': 'webhook endpoint',
};

/** The agency's address, and the key that no error may show. */
interface Agency {
  origin: string;
  secret?: string;
}

/**
 * An answer that did not come, or broke off.
 *
 * @param bytes of the answer, and `file` of the request, if they were streams
 * @throws what was thrown elsewhere, e.g. by n8n's binary store
 */
export function brokenAttempt(
  thrown: unknown,
  { origin, secret }: Agency,
  bytes: ByteStream | undefined,
  file: ByteStream | undefined,
): FailedAttempt {
  if (file?.errored && connectionFault(file.errored) === undefined) throw file.errored;
  const fault = connectionFault(thrown);
  // Where the connection held, it is the one who took the bytes that did not succeed.
  const isElsewhere = bytes !== undefined && !bytes.errored && !isPrematureEnd(thrown);
  if (fault === undefined || isElsewhere) throw thrown;
  const reason = redacted(fault.reason, secret);
  const hint = fault.hint ?? (file && 'If only large files fail, a proxy in between may limit their size.');
  const error = errorOfSilence({ ...fault, reason, hint }, origin);
  return { error, advice: { kind: fault.transient ? 'alone' : 'never' } };
}

/**
 * An answer that is no success of the API: a refusal, or not the agency's.
 *
 * @param id of the record that was asked for
 */
export async function refusedAttempt(
  { statusCode, headers, body }: IN8nHttpFullResponse,
  { origin, secret }: Agency,
  route: Route,
  id: string | undefined,
  clock: Clock,
): Promise<FailedAttempt> {
  const parsed = redacted(jsonOf(isStream(body) ? await textOf(body, LONGEST_REFUSAL) : body), secret);
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? redacted(value, secret) : undefined;
  };
  const requestId = header('x-request-id')?.slice(0, LONGEST_REQUEST_ID);
  if (statusCode >= 200 && statusCode < 300) {
    const error = route.startsWith('GET ')
      ? errorOfForeignAnswer(statusCode, undefined, requestId, origin)
      : errorOfUnknownOutcome(statusCode, requestId, origin);
    return { error, advice: { kind: 'few' } };
  }
  const error = isErrorBody(parsed)
    ? errorOfAnswer(statusCode, parsed, requestId, origin, recordOf(route, id))
    : errorOfForeignAnswer(statusCode, header('location'), requestId, origin);
  // By the clock of who sent it, which may differ from this one.
  const now = Date.parse(header('date') ?? '') || clock.now();
  return { error, advice: retryAdvice(statusCode, error.code, header('retry-after'), now) };
}

/** The record that a request is about, in words, e.g. `company "cmp_1"`; `undefined` for a list. */
export function recordOf(route: Route, id: string | undefined): string | undefined {
  const [, collection = ''] = route.split('/');
  const record = Object.hasOwn(RECORDS, collection) ? RECORDS[collection] : undefined;
  return record === undefined || id === undefined ? undefined : `${record} "${id}"`;
}
