import type { IPollFunctions } from 'n8n-workflow';
import type { AgencyClient } from '../shared/api/client';
import { LASTING_MS } from '../shared/events/outage';
import { includeOf } from '../shared/events/parameters';
import { eventItem, withRecord, withWhatCanBeRead } from '../shared/events/record';
import { nodeKey } from '../shared/node-identity';
import { fullMessage } from '../shared/own-errors';
import type { TurnOptions } from './read-turn';

/** Nodes whose last turn ended at a record that could not be read, and since when none could. */
const failures = new Map<string, number>();

/** Called when a turn begins. What ends it otherwise, e.g. the feed, says nothing of records, so their time begins anew. */
export function recordsFailSince(context: IPollFunctions): number | undefined {
  const since = failures.get(nodeKey(context));
  failures.delete(nodeKey(context));
  return since;
}

/** Whether a record could not be read in the turn that has just ended. */
export function doRecordsFail(context: IPollFunctions): boolean {
  return failures.has(nodeKey(context));
}

/**
 * Makes items of events. When no record could be read for an hour, and people were told, events go on without them.
 *
 * @param isReported whether people were told
 * @param failSince since when no record could be read, up to the last turn; `undefined` when it could, or read none
 */
export function itemMaker(
  context: IPollFunctions,
  client: AgencyClient,
  isReported: boolean,
  failSince: number | undefined,
): TurnOptions['itemOf'] {
  const source = {
    client,
    helpers: context.helpers,
    include: includeOf(context.getNodeParameter('include', 'nothing')),
  };
  const arrival = { source: 'feed', endpointId: null } as const;
  let since = failSince;
  return async (event) => {
    const item = eventItem(event, arrival);
    const [made] = await Promise.allSettled([withRecord(source, item)]);
    if (made.status === 'fulfilled') {
      if (made.value.json.record) since = undefined;
      return made.value;
    }
    since ??= Date.now();
    failures.set(nodeKey(context), since);
    if (!isReported || Date.now() - since < LASTING_MS) throw made.reason;
    return await withWhatCanBeRead(source, item, fullMessage(made.reason));
  };
}
