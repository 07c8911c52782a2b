import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import { anEvent, signedCall, signedHeaders, VECTOR_SECRET } from '../../support/trigger/signing';
import { send } from '../../support/sandbox/send';

const TEN_MINUTES = 600;
/** n8n answers slowly on a busy machine; that is measured elsewhere. */
const PATIENCE_MS = 120_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/** A call to the webhook address. */
export interface WebhookCall {
  headers: Record<string, string>;
  body: Buffer;
}

const now = () => Math.floor(Date.now() / 1000);

/** The call of an event as the agency signs it. */
export function genuineCall(secret: string, id: string): WebhookCall {
  const { headers, rawBody } = signedCall(JSON.stringify(anEvent({ id })), secret, id);
  return { headers: { ...JSON_TYPE, ...headers }, body: rawBody };
}

/** Ways of calling without being the agency. Each is made of a genuine call that nobody else sends. */
const HOSTILE: ((secret: string, id: string) => WebhookCall)[] = [
  (secret, id) => ({ ...genuineCall(secret, id), headers: JSON_TYPE }),
  (_secret, id) => genuineCall(VECTOR_SECRET, id),
  (secret, id) => ({
    ...genuineCall(secret, id),
    body: Buffer.from(JSON.stringify(anEvent({ id, type: 'x' }))),
  }),
  (secret, id) => {
    const body = JSON.stringify(anEvent({ id }));
    const headers = { ...JSON_TYPE, ...signedHeaders(secret, id, now() - TEN_MINUTES, body) };
    return { headers, body: Buffer.from(body) };
  },
  (secret, id) => without(genuineCall(secret, id), 'webhook-id'),
  (secret, id) => without(genuineCall(secret, id), 'webhook-timestamp'),
  (secret, id) => ({ ...genuineCall(secret, id), body: Buffer.from('{"id": ') }),
  (secret, id) => ({ ...genuineCall(secret, id), body: Buffer.alloc(0) }),
  (secret, id) => {
    const call = genuineCall(secret, id);
    return { ...call, headers: { ...call.headers, 'webhook-id': `${id}x` } };
  },
];

/** The hostile call of a number, another way each time. */
export function hostileCall(secret: string, number: number): WebhookCall {
  const make = HOSTILE[number % HOSTILE.length];
  if (make === undefined) throw new Error('There are no hostile calls.');
  return make(secret, `hostile_${randomUUID()}`);
}

function without({ headers, body }: WebhookCall, name: string): WebhookCall {
  const left = Object.entries(headers).filter(([other]) => other !== name);
  return { headers: Object.fromEntries(left), body };
}

/** Sends a call and gives the status of the answer. */
export async function post(url: string, agent: Agent, { headers, body }: WebhookCall): Promise<number> {
  const { origin, pathname } = new URL(url);
  const call = { method: 'POST', target: pathname, headers, body };
  const { status } = await send(origin, agent, call, PATIENCE_MS);
  return status;
}
