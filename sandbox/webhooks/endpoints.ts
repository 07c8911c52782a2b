import { randomBytes } from 'node:crypto';
import type { Agency } from '../agency/agency';
import { invalid, notFound } from '../server/errors';
import { createTestEvent } from '../agency/events';
import { newId } from '../ids';
import { created, ok, type Call, type Operation } from '../server/operation';
import type { WebhookEndpointCreate, WebhookEndpointUpdate, WebhookTestResult } from '../records';
import { listDeliveries } from '../store/deliveries';
import {
  deleteEndpoint,
  findEndpoint,
  publicEndpoint,
  saveEndpoint,
  type StoredEndpoint,
} from '../store/endpoints';
import { page } from '../server/paging';

/** An endpoint belongs to the access of the key that created it; for others it does not exist. */
function addressed(call: Call, agency: Agency): StoredEndpoint {
  const endpoint = findEndpoint(agency.db, String(call.params.id), call.principal.accessId);
  if (!endpoint) throw notFound('webhook endpoint');
  return endpoint;
}

/** @throws ApiError `VALIDATION_ERROR` for an address that no call can be sent to. */
function checkAddress(url: string | undefined): void {
  if (url === undefined || URL.canParse(url)) return;
  throw invalid([{ path: 'url', message: 'is not an address' }], 422);
}

/** The one answer that carries the signing secret. */
export const create: Operation = (call, agency) => {
  const { url, eventTypes, description = null } = call.body as WebhookEndpointCreate;
  checkAddress(url);
  const endpoint: StoredEndpoint = {
    id: newId('we'),
    accessId: call.principal.accessId,
    url,
    description,
    eventTypes,
    enabled: true,
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    createdAt: agency.clock.now(),
    lastSuccessAt: null,
    lastFailureAt: null,
  };
  saveEndpoint(agency.db, endpoint);
  return created({ ...publicEndpoint(endpoint), secret: endpoint.secret });
};

export const update: Operation = (call, agency) => {
  const change = call.body as WebhookEndpointUpdate;
  checkAddress(change.url);
  const endpoint = { ...addressed(call, agency), ...change };
  saveEndpoint(agency.db, endpoint);
  agency.agenda.wake();
  return ok(publicEndpoint(endpoint));
};

export const remove: Operation = (call, agency) => {
  deleteEndpoint(agency.db, addressed(call, agency).id);
  return { status: 204 };
};

export const deliveries: Operation = (call, agency) => {
  const { id } = addressed(call, agency);
  const paging = page(agency, call, { id });
  const before = paging.position?.map(Number)[0];
  const found = listDeliveries(agency.db, id, before, paging.limit + 1);
  return ok(paging.reply(found, (delivery) => [delivery.id]));
};

/** Sends one call, and tells how the address answered. */
export const test: Operation = async (call, agency) => {
  const { event, deliveryId } = createTestEvent(agency, addressed(call, agency));
  const started = performance.now();
  const answer = await agency.deliveries.sendTest(deliveryId);
  const result: WebhookTestResult = {
    eventId: event.id,
    ...answer,
    durationMs: Math.round(performance.now() - started),
  };
  return ok(result);
};
