import { webhookDescriptionFields } from 'n8n-workflow';

/**
 * What the node answers to a call of the agency's. n8n itself answers 200 while it starts and drops the call, as may a
 * proxy in front of it: the agency's list of deliveries shows which it was (spec: WebhookDelivery, `lastStatusCode`).
 */
export const TAKEN = 202;

const template = `={{ ${TAKEN} }}`;

/** The same in the description of a webhook. An n8n that lacks the function evaluates the expression on every call. */
export const responseCode: { responseCode: string } =
  typeof webhookDescriptionFields === 'function'
    ? webhookDescriptionFields({ responseCode: { template, resolve: () => TAKEN } })
    : { responseCode: template };
