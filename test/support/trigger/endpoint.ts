import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import type { TestSandbox } from '../sandbox/sandbox';

/** Nothing listens there, so that every delivery fails at once. */
export const NOWHERE = 'https://127.0.0.1:1/agency';

/** The header of a request with a key that the node made. */
export const NODE_KEY = expect.stringMatching(/^[0-9a-f]{64}$/);

/** The parameters of an operation on webhook endpoints. */
export function endpointParameters(operation: string, more: INodeParameters = {}): INodeParameters {
  return { resource: 'webhookEndpoint', operation, ...more };
}

/** A webhook endpoint for all events, unless `body` says otherwise. */
export async function madeEndpoint(
  sandbox: TestSandbox,
  body: object = {},
): Promise<Schemas['WebhookEndpointCreated']> {
  const given = { url: NOWHERE, eventTypes: ['*'], ...body };
  const path = '/webhook-endpoints';
  return (await sandbox.call<Schemas['WebhookEndpointCreated']>({ method: 'POST', path, body: given })).body;
}
