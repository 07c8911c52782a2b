import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { agencyClient } from '../shared/api/credential';
import { includeOf } from '../shared/events/parameters';
import { withRecord } from '../shared/events/record';
import { shownError } from '../shared/own-errors';
import { letBeginAgain } from './deduplication/deduplication';

/**
 * Adds to the events of an execution what Include says. An execution that fails here can be tried again: its events
 * run then.
 *
 * @throws NodeApiError
 */
export async function withRecords(
  context: IExecuteFunctions,
  items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
  const include = includeOf(context.getNodeParameter('include', 0, 'nothing'));
  if (include === 'nothing' || items.length === 0) return items;
  const { helpers } = context;
  const reading = agencyClient(context).then(
    async (client) =>
      await Promise.all(items.map(async (item) => await withRecord({ client, helpers, include }, item))),
  );
  const [outcome] = await Promise.allSettled([reading]);
  if (outcome.status === 'rejected') {
    letBeginAgain(items);
    throw shownError(context.getNode(), outcome.reason);
  }
  return outcome.value;
}
