import type { IWebhookDescription } from 'n8n-workflow';

/**
 * What the node answers to a call of the agency's. n8n itself answers 200 while it starts and drops the call, as may a
 * proxy in front of it: the agency's list of deliveries shows which it was (spec: WebhookDelivery, `lastStatusCode`).
 */
export const TAKEN = 202;

/**
 * The webhook whose calls n8n answers so. The status is a number, for which n8n's type has no place: an expression would
 * be evaluated on every call, and a text is no status to n8n's server.
 */
export function answeredAsTaken(webhook: IWebhookDescription): IWebhookDescription {
  return Object.assign(webhook, { responseCode: TAKEN });
}
