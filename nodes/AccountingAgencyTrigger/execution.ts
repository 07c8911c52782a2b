import type { IExecuteFunctions, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { agencyOrigin } from '../shared/api/address';
import { claim, entryStore } from './once';
import { entriesKept } from './settings';
import { RecentEvents } from './recent-events';

const sightings = new RecentEvents();

type Context = IExecuteFunctions | IWebhookFunctions;

/** Whether an event that has just been called in is already being worked on, so that it needs no execution. */
export async function isCopy(context: IWebhookFunctions, event: string): Promise<boolean> {
  return await sightings.isCopy(sightingKey(context, event));
}

/**
 * The items whose events have not run before, of those that an execution begins with. Nothing is dropped when a
 * person runs the workflow by hand or tries an execution again.
 */
export async function firstTimeItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const mode = context.getMode();
  const items: INodeExecutionData[] = [];
  for (const item of context.getInputData()) {
    const { id } = item.json;
    if (typeof id !== 'string' || (await isFirstTime(context, id)) || mode === 'retry') items.push(item);
  }
  if (items.length === 0) letNothingCome(context);
  return items;
}

/**
 * With "Always Output Data", n8n would make an item of nothing and run the next nodes. A workflow is not published
 * with it, but n8n 2 asks no node when only this setting is changed. So it is turned off in the copy of the node that
 * this execution has: an error would not do, since "On Error: Continue" would pass the repeated event itself on.
 */
function letNothingCome(context: IExecuteFunctions): void {
  context.getExecuteData().node.alwaysOutputData = false;
}

async function isFirstTime(context: IExecuteFunctions, event: string): Promise<boolean> {
  const key = sightingKey(context, event);
  const alone = sightings.has(key);
  sightings.stored(key);
  if (context.getMode() === 'manual') return true;
  try {
    const { rememberedEntries } = context.getNodeParameter('options', 0, {});
    const store = entryStore(context.helpers, nodeKey(context), entriesKept(rememberedEntries));
    const { address } = await context.getCredentials('accountingAgencyApi');
    // Another agency may give the same ID to another event.
    const entry = `${agencyOrigin(address)} ${event}`;
    return await claim(store, entry, context.getExecutionId(), alone);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.logger.warn(
      `n8n could not note that the event ${event} has run; it runs now all the same: ${reason}`,
    );
    return true;
  }
}

function sightingKey(context: Context, event: string): string {
  return JSON.stringify([nodeKey(context), context.getMode() === 'manual' ? 'test' : 'production', event]);
}

function nodeKey(context: Context): string {
  return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}
