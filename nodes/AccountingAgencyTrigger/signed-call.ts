import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type AgencyEvent, isAgencyEvent } from '../shared/events/event-types';
import { isSigningSecret } from '../shared/signing-secret';
import { parsedJson } from '../shared/values/json';

/** One call to the webhook address. */
export interface Call {
  /** Names in lower case. */
  headers: Record<string, unknown>;
  /** The bytes of the body as they came; absent when there was none. */
  rawBody: Buffer | undefined;
  /** The signing secret of the endpoint, as it was stored. */
  secret: unknown;
}

/** What becomes of a call: its event, or the answer that refuses it. */
export type Verdict =
  { event: AgencyEvent } | { refusal: { status: 400 | 401; body: { error: string } }; cause?: RefusalCause };

/** What a person may have to put right at n8n when a call is refused. */
export type RefusalCause = 'secret' | 'clock';

/** The part of n8n's request object that a call is read from. */
export interface IncomingRequest {
  headers: Record<string, unknown>;
  /** Set once the body has been read: by n8n before the node is asked, or by `readRawBody`. */
  rawBody?: unknown;
  readRawBody?: () => Promise<void>;
}

// Printable ASCII without spaces, which a header that came twice has: Node.js joins the two with ", ".
const ID = /^[!-~]{1,200}$/;
// Ten digits are seconds from 2001 to 2286: no milliseconds, no fractions, no signs.
const TIMESTAMP = /^\d{10}$/;
const SIGNATURES = /^[!-+\--~]+,[!-+\--~]+( [!-+\--~]+,[!-+\--~]+)*$/;
const LONGEST_SIGNATURES = 4096;
const TOLERANCE_SECONDS = 300;

/**
 * Verifies a call by the Standard Webhooks scheme over the bytes as they came, and reads its event (spec: Webhook
 * delivery). Never throws. Depends on nothing but the call and the system's time.
 *
 * @returns the event, or the answer to give: 401 for what is not proven to be the agency's, 400 for a body that is
 * the agency's but no event. The answer says what is wrong with the call, and nothing of the secret.
 */
export function readDelivery({ headers, rawBody, secret }: Call): Verdict {
  if (!isSigningSecret(secret)) return refused('This address has no usable signing secret.', 'secret');
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || !ID.test(id))
    return refused('The header webhook-id is missing or malformed.');
  if (typeof timestamp !== 'string' || !TIMESTAMP.test(timestamp)) {
    return refused('The header webhook-timestamp is missing or malformed.');
  }
  if (
    typeof signatures !== 'string' ||
    signatures.length > LONGEST_SIGNATURES ||
    !SIGNATURES.test(signatures)
  ) {
    return refused('The header webhook-signature is missing or malformed.');
  }
  const text = textOf(rawBody);
  if (text === undefined) return refused('The body is missing or is not UTF-8 text.');
  try {
    const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures };
    new Webhook(secret).verify(text, signed, { jsonParse: false });
  } catch {
    const isLate = Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS;
    return refused(
      'The signature does not match, or the timestamp is more than five minutes off.',
      isLate && isSigned(secret, { id, timestamp, text, signatures }) ? 'clock' : undefined,
    );
  }
  const event = parsedJson(text);
  return isAgencyEvent(event)
    ? { event }
    : { refusal: { status: 400, body: { error: 'The body is not an event.' } } };
}

/** Whether one of the signatures is the agency's, at whatever time: anybody can send a call that is late. */
function isSigned(
  secret: string,
  { id, timestamp, text, signatures }: Record<'id' | 'timestamp' | 'text' | 'signatures', string>,
): boolean {
  const expected = Buffer.from(new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), text));
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The text of a body, only if it is the same bytes again: other bytes would be replaced before they are verified. */
function textOf(rawBody: Buffer | undefined): string | undefined {
  if (rawBody === undefined || rawBody.length === 0) return undefined;
  const text = rawBody.toString('utf8');
  return Buffer.from(text, 'utf8').equals(rawBody) ? text : undefined;
}

function refused(error: string, cause?: RefusalCause): Verdict {
  return { refusal: { status: 401, body: { error } }, cause };
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
