import { randomUUID } from 'node:crypto';
import type { ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';
import { agencyClient } from '../../shared/api/credential';
import { isRateLimited } from '../../shared/api/errors/agency-error';
import { systemClock as clock } from '../../shared/api/requests/wait';
import { TEST_EVENT } from '../../shared/events/event-types';
import type { EventFilter } from '../../shared/events/filter';
import type { Endpoint } from '../endpoint/endpoint-requests';
import { memoryOf } from './memory';
import { newestRegistration, writeRegistration } from './static-data';

/** Pages of the feed, or time, after which the position is saved. */
const PAGES_BETWEEN_SAVES = 5;
const SAVE_EVERY_MS = 3_600_000;
/** So long after a save that did not arrive, a process that takes calls tries the next one. */
const RETRY_AFTER_MS = 600_000;
/** The agency itself waits 10 seconds for n8n before it answers (spec: Webhook delivery). */
const TEST_TIMEOUT_MS = 30_000;

/**
 * Has n8n save how far the feed was compared, but not after every comparison, since it costs a request and a call.
 *
 * @param pages of the feed that were read since it was saved
 * @returns whether it was saved
 */
export async function saveSoon(
  context: ITriggerFunctions,
  filter: EventFilter,
  pages: number,
): Promise<boolean> {
  const { isUnsaved, isMissing, savedAt = 0 } = memoryOf(context);
  const { endpoint } = newestRegistration(context);
  const isDue = pages >= PAGES_BETWEEN_SAVES || Date.now() - savedAt > SAVE_EVERY_MS;
  // An endpoint that is not there calls nobody; whether calls arrive is then tried with the next one.
  const isInVain = isMissing === true || cannotSave(context) || hasFailedWithin(context, RETRY_AFTER_MS);
  if (endpoint === undefined || !isDue || isUnsaved !== true || isInVain) return false;
  // Where test events start the workflow, one that is sent for this alone might start it too.
  if (filter.types.includes(TEST_EVENT)) return false;
  return await save(context, endpoint);
}

/** Whether a call would probably arrive in another process, or not at all. */
export function cannotSave(context: ITriggerFunctions): boolean {
  return memoryOf(context).takesCalls !== true && hasFailedWithin(context, SAVE_EVERY_MS);
}

function hasFailedWithin(context: ITriggerFunctions, milliseconds: number): boolean {
  const { saveFailedAt } = memoryOf(context);
  return saveFailedAt !== undefined && clock.now() - saveFailedAt < milliseconds;
}

/** Saves what this process knows. Called where the static data are fresh and n8n will save them. */
export function saveNewest(context: IWebhookFunctions): void {
  const memory = memoryOf(context);
  if (context.getMode() === 'manual' || memory.isUnsaved !== true) return;
  writeRegistration(context, newestRegistration(context));
  Object.assign(memory, { isUnsaved: false, savedAt: Date.now(), saveFailedAt: undefined });
}

/**
 * Has the agency call the node, so that `saveNewest` runs.
 *
 * @returns whether it did, in this process
 * @throws AgencyError when the agency did not try, since it accepts no more requests for now (429)
 */
export async function save(context: ITriggerFunctions, endpoint: Endpoint): Promise<boolean> {
  const memory = memoryOf(context);
  Object.assign(memory, { isUnsaved: true, isSaving: true });
  const [asking] = await Promise.allSettled([askForCall(context, endpoint)]);
  memory.isSaving = false;
  if (memory.isUnsaved === false) return true;
  if (asking.status === 'rejected' && isRateLimited(asking.reason)) throw asking.reason;
  // However else the agency answers, what counts is whether the call came.
  Object.assign(memory, { saveFailedAt: clock.now(), savedAt: 0 });
  return false;
}

async function askForCall(context: ITriggerFunctions, { id }: Endpoint): Promise<void> {
  const client = await agencyClient(context, { timeoutMs: TEST_TIMEOUT_MS });
  const header = { 'Idempotency-Key': randomUUID() };
  await client.request('POST /webhook-endpoints/{id}/test', { path: { id }, header });
}
