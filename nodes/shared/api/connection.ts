import { isRecord } from './errors';

/** Codes of Node.js and of the HTTP library for a connection that broke or was not answered in time. */
const PASSING_CODES = new Set([
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
  ECONNRESET: 'the connection was broken off',
  EPIPE: 'the connection was broken off',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection was broken off',
  ERR_BAD_RESPONSE: 'the connection was broken off',
  ECONNREFUSED: 'nothing answers at this address',
  ECONNABORTED: 'there was no answer in time',
  ETIMEDOUT: 'there was no answer in time',
  EAI_AGAIN: 'its name could not be looked up',
  ENOTFOUND: 'no server of this name was found',
  EHOSTUNREACH: 'the network leads nowhere to it',
  ENETUNREACH: 'the network leads nowhere to it',
};

/** What kept a request from being answered, and whether another attempt may help. */
export interface ConnectionFault {
  reason: string;
  passing: boolean;
}

/**
 * Reads what the HTTP helper threw. n8n wraps the library's error, so the causes are looked through as well.
 * Nothing but code and message is taken: the error also holds the request with its `Authorization`.
 */
export function connectionFault(thrown: unknown): ConnectionFault {
  const chain: Array<Record<string, unknown>> = [];
  for (let link = thrown; isRecord(link) && chain.length < 5; link = link.cause) chain.push(link);
  const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
  const code = codes.find((known) => Object.hasOwn(WORDS, known));
  if (code !== undefined) return { reason: WORDS[code] ?? code, passing: PASSING_CODES.has(code) };
  const certificate = codes.find((other) => /CERT|SIGNATURE|TLS|SSL/.test(other));
  if (certificate !== undefined) {
    return { reason: `its certificate is not trusted (${certificate})`, passing: false };
  }
  const message = chain.map((link) => link.message).find((said) => typeof said === 'string' && said !== '');
  return { reason: String(message ?? 'no reason was given').replace(/\.$/, ''), passing: false };
}
