import { createHash, randomUUID } from 'node:crypto';
import type { AgencyClient } from '../../shared/api/client';
import { confirmEndpoint } from '../../shared/api/confirm-endpoint';
import { AgencyError, isNotFound } from '../../shared/api/errors/agency-error';
import type { Schemas } from '../../shared/api/routes';
import { answeredAt, instantOf, isTime } from '../../shared/values/instant';
import { isRecord } from '../../shared/values/json';
import { isSigningSecret } from '../../shared/signing-secret';

type Client = Pick<AgencyClient, 'request'>;

/** What an endpoint is to be. */
export interface DesiredEndpoint {
  workflowId: string;
  nodeId: string;
  /** The address that n8n gives the node. */
  url: string;
  /** The agency's address, in its normal form. */
  agency: string;
  /** `['*']` for all events. */
  eventTypes: Array<Schemas['EndpointEventType']>;
}

/** An endpoint that was made. */
export interface Endpoint {
  id: string;
  secret: string;
  workflowId: string;
  url: string;
  agency: string;
  eventTypes: string[];
  /** By the agency's clock. */
  createdAt?: string;
}

/** An endpoint, and the number of the node's endpoint that it is: a part of its idempotency key. */
export interface MadeEndpoint {
  endpoint: Endpoint;
  generation: number;
}

/** Endpoints that were removed within the 24 hours that the agency keeps their keys, and whose count was lost. */
const MOST_GENERATIONS = 50;
const ALL_EVENTS: DesiredEndpoint['eventTypes'] = ['*'];

/** Whether an endpoint is the desired's own. One of another workflow, address or agency is never touched. */
export function isOwn(
  endpoint: Endpoint,
  { workflowId, url, agency }: Pick<DesiredEndpoint, 'workflowId' | 'url' | 'agency'>,
): boolean {
  return endpoint.workflowId === workflowId && endpoint.url === url && endpoint.agency === agency;
}

/**
 * Sets an endpoint as planned, which heals one that was paused or changed and proves that it is there.
 *
 * @returns `false` when the agency does not know it
 * @throws AgencyError for everything else: only a 404 of the API itself means that an endpoint is gone
 */
export async function adjustEndpoint(
  client: Client,
  id: string,
  { url, eventTypes }: Pick<DesiredEndpoint, 'url' | 'eventTypes'>,
): Promise<boolean> {
  const body = { url, eventTypes, enabled: true };
  return await unlessGone(changeEndpoint(client, id, body));
}

async function changeEndpoint(
  client: Client,
  id: string,
  body: Schemas['WebhookEndpointUpdate'],
): Promise<void> {
  const header = { 'Idempotency-Key': randomUUID() };
  const { body: answer } = await client.request('PATCH /webhook-endpoints/{id}', {
    path: { id },
    body,
    header,
  });
  if (answer.id !== id) await confirmEndpoint(client, id);
}

/**
 * Makes the endpoint. The same request with the same key brings an endpoint that was made but never saved because n8n
 * was killed in between: with its secret, or without, and then it makes way for the next one. So nothing that a user
 * can change in the meantime is in the request: it asks for all events, and the chosen ones are set afterwards.
 *
 * @param first the generation to begin with
 * @param lasting `false` for a test: n8n keeps nothing of it, so each has a key and an endpoint of its own
 * @throws AgencyError after which no endpoint is left that the next attempt would not find by its key; of a test, one
 * is left whose making was never answered
 */
export async function makeEndpoint(
  client: Client,
  first: number,
  desired: DesiredEndpoint,
  lasting: boolean,
): Promise<MadeEndpoint> {
  for (let generation = first; generation < first + MOST_GENERATIONS; generation += 1) {
    const { headers, body } = await client.request('POST /webhook-endpoints', {
      body: { url: desired.url, eventTypes: ALL_EVENTS },
      header: { 'Idempotency-Key': lasting ? keyOf(desired, generation) : randomUUID() },
    });
    const { workflowId, url, agency, eventTypes } = desired;
    const createdAt = isTime(body.createdAt)
      ? new Date(instantOf(body.createdAt)).toISOString()
      : answeredAt(headers);
    const endpoint = { id: body.id, secret: body.secret, workflowId, url, agency, eventTypes, createdAt };
    const isNew = headers['idempotent-replayed'] !== 'true';
    if (!isEndpoint(endpoint) || !isSigningSecret(endpoint.secret)) {
      if (isNew) throw await unusable(client, body.id);
      // The secret is shown only once, so this endpoint can never be used.
      await removeEndpoint(client, body.id);
      continue;
    }
    if (await isSet(client, endpoint.id, desired, isNew)) return { endpoint, generation };
  }
  throw new AgencyError(
    'The agency returns only endpoints of this node that have been removed.',
    'Unpublish the workflow (in n8n 1: deactivate it), and publish (activate) it again in a day.',
  );
}

/**
 * Removes an endpoint.
 *
 * @returns `false` when the agency does not know it
 * @throws AgencyError for everything else
 */
export async function removeEndpoint(client: Client, id: string): Promise<boolean> {
  return await unlessGone(
    client.request('DELETE /webhook-endpoints/{id}', {
      path: { id },
      header: { 'Idempotency-Key': randomUUID() },
    }),
  );
}

/** Whether an endpoint that the agency has just named is there, set as planned. Leaves none behind when it throws. */
async function isSet(client: Client, id: string, desired: DesiredEndpoint, isNew: boolean): Promise<boolean> {
  if (isNew && String(desired.eventTypes) === String(ALL_EVENTS)) return true;
  const [outcome] = await Promise.allSettled([adjustEndpoint(client, id, desired)]);
  if (outcome.status === 'fulfilled' && (outcome.value || !isNew)) return outcome.value;
  // Should this be refused as well, the next attempt finds the endpoint again by its key.
  await Promise.allSettled([removeEndpoint(client, id)]);
  throw outcome.status === 'rejected' ? outcome.reason : lost();
}

async function unlessGone(request: Promise<unknown>): Promise<boolean> {
  return await request.then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false;
      throw error;
    },
  );
}

function keyOf({ workflowId, nodeId, url }: DesiredEndpoint, generation: number): string {
  return createHash('sha256')
    .update(JSON.stringify([workflowId, nodeId, url, generation]))
    .digest('hex');
}

/** Whether a value has what an endpoint must have. */
export function isEndpoint(value: unknown): value is Endpoint {
  const texts = ['id', 'secret', 'workflowId', 'url', 'agency'];
  return (
    isRecord(value) &&
    texts.every((name) => typeof value[name] === 'string' && value[name] !== '') &&
    Array.isArray(value.eventTypes) &&
    (value.createdAt === undefined || typeof value.createdAt === 'string') &&
    value.eventTypes.every((type) => typeof type === 'string')
  );
}

/** The error of an endpoint that cannot be used, after it was removed. */
async function unusable(client: Client, id: string): Promise<AgencyError> {
  await Promise.allSettled([removeEndpoint(client, id)]);
  return new AgencyError(
    'The agency returned a webhook endpoint without a usable signing secret.',
    'Check the Agency Address of the credential, and that no proxy changes what the agency returns.',
  );
}

function lost(): AgencyError {
  return new AgencyError(
    'The agency created a webhook endpoint, but then did not find it.',
    'Publish the workflow (in n8n 1: activate it) again in a minute.',
  );
}
