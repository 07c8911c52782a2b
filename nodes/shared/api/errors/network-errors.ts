import { isRecord } from '../../values/json';

/** Codes of Node.js and of the HTTP library for a connection that broke or was not answered in time. */
const TRANSIENT_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_BAD_RESPONSE',
]);

const WORDS: Record<string, string> = {
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection was lost',
  ERR_BAD_RESPONSE: 'the connection was lost',
  ECONNREFUSED: 'nothing is listening at this address',
  ECONNABORTED: 'it did not respond in time',
  ETIMEDOUT: 'it did not respond in time',
  EAI_AGAIN: 'the name of the server could not be looked up',
  ENOTFOUND: 'there is no server with this name',
  EHOSTUNREACH: 'there is no network route to it',
  ENETUNREACH: 'there is no network route to it',
};

/** What the HTTP library says of an answer that broke off; n8n 1.x keeps only the words of such an error. */
const BROKEN_OFF = /^(stream has been aborted|aborted|socket hang up|premature close)$/i;

/** Codes for an answer that is no HTTP, or that cannot be unpacked, as when a proxy takes it for compressed. */
const GARBLED = /^(HPE_|Z_|ZSTD_|ERR__ERROR_)/;

/** What kept a request from being answered, and whether another attempt may help. */
export interface ConnectionFault {
  /** In words. */
  reason: string;
  /** The code of Node.js or of the HTTP library. */
  code: string;
  transient: boolean;
  /** What to do about it, besides what helps against all of them. */
  hint?: string;
}

/**
 * Reads what the HTTP helper threw. n8n wraps the library's error: n8n 2.x keeps it as the cause, n8n 1.x only its code
 * as `httpCode`, and its message.
 * Nothing but code and message is taken: the error also holds the request with its `Authorization`.
 *
 * @returns `undefined` for an error that is not of the network
 */
export function connectionFault(thrown: unknown): ConnectionFault | undefined {
  const chain: Array<Record<string, unknown>> = [];
  for (let link = thrown; isRecord(link) && chain.length < 5; link = link.cause) chain.push(link);
  const codes = chain
    .flatMap(({ code, httpCode }) => [code, httpCode])
    .filter((code) => typeof code === 'string');
  const messages = chain.map((link) => link.message).filter((said) => typeof said === 'string');
  const brokenOff = messages.some((said) => BROKEN_OFF.test(said)) ? 'ECONNRESET' : undefined;
  const code = codes.find((known) => Object.hasOwn(WORDS, known)) ?? brokenOff;
  if (code !== undefined) return { reason: WORDS[code] ?? code, code, transient: TRANSIENT_CODES.has(code) };
  const garbled = codes.find((other) => GARBLED.test(other));
  if (garbled !== undefined) return { reason: 'its response is garbled', code: garbled, transient: true };
  const insecure = codes.find((other) => /^(EPROTO|ERR_SSL_)/.test(other));
  if (insecure !== undefined) {
    return { reason: 'no secure connection could be made', code: insecure, transient: false };
  }
  const certificate = codes.find((other) => /CERT|SIGNATURE|TLS/.test(other));
  if (certificate !== undefined) {
    return {
      reason: 'its certificate is not trusted',
      code: certificate,
      transient: false,
      hint: "If the agency, or a proxy in between, uses its own certificate, make n8n trust it with the environment variable NODE_EXTRA_CA_CERTS. Check the clock of n8n's machine too.",
    };
  }
  const other = codes.find((known) => /^(E[A-Z]{4,}|ERR_[A-Z_]+)$/.test(known));
  if (other === undefined) return undefined;
  const message = messages.find((said) => said !== '');
  return { reason: String(message ?? other).replace(/\.$/, ''), code: other, transient: false };
}

/** Whether a stream ended before all of it had come. */
export function isPrematureEnd(thrown: unknown): boolean {
  return isRecord(thrown) && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Statuses after which the same request may succeed: the agency's own, and those of gateways (520 to 530: Cloudflare's). */
const PASSING_STATUSES = new Set([
  408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 527, 529, 530, 598, 599,
]);

/** Whether a status says that the same request may succeed later. */
export function isTransient(status: number): boolean {
  return status === 429 || PASSING_STATUSES.has(status);
}
