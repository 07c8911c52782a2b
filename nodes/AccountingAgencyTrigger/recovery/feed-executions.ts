import { createHash } from 'node:crypto';
import type { IRun, ITriggerFunctions } from 'n8n-workflow';
import { systemClock as clock } from '../../shared/api/requests/wait';
import type { AgencyEvent } from '../../shared/events/event-types';
import { eventItem } from '../../shared/events/record';
import { hasBegun, noteHandedOn } from '../deduplication/deduplication';
import { newestRegistration } from '../state/static-data';

const EXECUTIONS_AT_A_TIME = 5;
/** So long an execution holds back the next ones. */
const LONGEST_EXECUTION_MS = 1_800_000;
const SECOND_MS = 1_000;

/**
 * Hands events to n8n, oldest first, no faster than it runs them.
 *
 * @param agency the agency's address
 * @param isClosed whether to stop
 * @param handled gets the IDs of the events that n8n has taken, now or before
 * @returns how many it has taken now
 */
export async function runEvents(
  context: ITriggerFunctions,
  agency: string,
  events: AgencyEvent[],
  isClosed: () => boolean,
  handled: Set<string>,
): Promise<number> {
  const queue = events.values();
  let taken = 0;
  const worker = async () => {
    for (const event of queue) {
      if (isClosed()) return;
      // Its own execution may have waited for a place, and have had it meanwhile.
      if (hasBegun(context, agency, event.id)) {
        handled.add(event.id);
      } else if (await runOne(context, agency, event, isClosed)) {
        handled.add(event.id);
        taken += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: EXECUTIONS_AT_A_TIME }, worker));
  return taken;
}

/** Resolves when the execution has ended. @returns whether n8n has taken the event */
async function runOne(
  context: ITriggerFunctions,
  agency: string,
  event: AgencyEvent,
  isClosed: () => boolean,
): Promise<boolean> {
  const done = context.helpers.createDeferredPromise<IRun>();
  const endpointId = newestRegistration(context).endpoint?.id ?? null;
  const data = [[eventItem(event, { source: 'feed', endpointId })]];
  noteHandedOn(context, event.id);
  context.emit(data, undefined, done, emissionKey(context, agency, event.id));
  let isTaken: boolean | undefined;
  const ended = done.promise.then(
    () => (isTaken = true),
    // n8n could not store the execution, e.g. since its database is locked.
    () => (isTaken = false),
  );
  for (let waited = 0; waited < LONGEST_EXECUTION_MS && isTaken === undefined; waited += SECOND_MS) {
    // Whether n8n has taken it will be seen at the next start.
    if (isClosed()) return false;
    await Promise.race([ended, clock.sleep(SECOND_MS)]);
  }
  return isTaken === true || hasBegun(context, agency, event.id);
}

/** n8n 2 starts no second execution with the same key; n8n 1 does not look at it. */
function emissionKey(context: ITriggerFunctions, agency: string, event: string): string {
  const parts = [context.getWorkflow().id, context.getNode().id, agency, event];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
