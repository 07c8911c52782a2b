import type { Api, JsonAnswer } from '../../../support/sandbox/api';

type Call = Parameters<Api>[0];

/** One write under its own Idempotency-Key, and what the agency acknowledged of it. */
export interface Entry {
  kind: 'document' | 'address' | 'endpoint' | 'task';
  call: Call;
  /** The text of a document's file. */
  content?: string;
  /** The acknowledged body; none while nobody knows whether the write was done. */
  acknowledged?: Record<string, unknown>;
}

/** What was sent, in the order of sending. */
export interface Ledger {
  entries: Entry[];
  unexpected: string[];
}

/**
 * Sends a write and notes its acknowledgement.
 * @returns The answer, or nothing when the connection broke, as it does when the agency is killed.
 */
export async function write(api: Api, ledger: Ledger, entry: Entry): Promise<JsonAnswer | undefined> {
  ledger.entries.push(entry);
  return await repeat(api, ledger, entry);
}

/** Sends an entry again. An acknowledgement that differs from an earlier one of the same entry is noted as unexpected. */
export async function repeat(api: Api, ledger: Ledger, entry: Entry): Promise<JsonAnswer | undefined> {
  const answer = await broken(api(entry.call));
  if (answer === undefined) return undefined;
  const { method, path } = entry.call;
  if (answer.status >= 300) {
    ledger.unexpected.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }
  if (entry.acknowledged !== undefined) {
    if (JSON.stringify(answer.body) !== JSON.stringify(entry.acknowledged)) {
      ledger.unexpected.push(`${method} ${path} was acknowledged before, and is answered differently now`);
    }
    if (answer.headers.get('idempotent-replayed') !== 'true') {
      ledger.unexpected.push(`${method} ${path} was acknowledged before, and is done again`);
    }
  }
  entry.acknowledged = answer.body;
  return answer;
}

/** Nothing for an answer that never came because the connection broke. */
export async function broken<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    // Not `instanceof Error`: Jest runs tests in a realm of their own, Node.js throws from another.
    if (BROKEN.has(String(Object(error).code))) return undefined;
    throw error;
  }
}

const BROKEN = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']);
