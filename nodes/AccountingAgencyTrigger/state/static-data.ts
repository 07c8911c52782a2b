import type { FunctionsBase, IDataObject } from 'n8n-workflow';
import { type NodeContext, staticDataKey } from '../../shared/node-identity';
import { isTime } from '../../shared/values/instant';
import { isRecord } from '../../shared/values/json';
import { type Endpoint, isEndpoint } from '../endpoint/endpoint-requests';
import { type FeedProgress, memoryOf } from './memory';

const NODE = 'accountingAgencyTrigger';

/** What a node keeps in n8n's static data. */
export interface Registration {
  endpoint?: Endpoint;
  /** How many endpoints the node had before: a part of the idempotency key of the next one. */
  generation: number;
  progress?: FeedProgress;
}

type StaticDataContext = Pick<FunctionsBase, 'getNode' | 'getWorkflowStaticData'>;

/** Reads what a node keeps. It can be imported, so it may be of another workflow, or damaged: that counts as nothing. */
export function readRegistration(context: StaticDataContext): Registration {
  const lasting = dataOfId(context);
  const { endpoint, generation } = nodeData(context) ?? lasting;
  const { progress } = lasting;
  return {
    ...(isEndpoint(endpoint) && { endpoint }),
    generation: typeof generation === 'number' && Number.isSafeInteger(generation) ? generation : 0,
    ...(isProgress(progress) && { progress }),
  };
}

/** What a node keeps, with what this process knows and n8n has not saved. */
export function newestRegistration(context: StaticDataContext & NodeContext): Registration {
  const saved = readRegistration(context);
  const { made, progress = saved.progress } = memoryOf(context);
  // Another process may have published the workflow since.
  const isNewer = made !== undefined && made.generation >= saved.generation;
  return { ...saved, ...(isNewer && made), ...(progress && { progress }) };
}

/** How far a node has compared the feed; `undefined` when that was in another workflow, or at another agency. */
export function ownProgress(
  { progress }: Registration,
  { agency, workflowId }: Pick<FeedProgress, 'agency' | 'workflowId'>,
): FeedProgress | undefined {
  return progress?.agency === agency && progress.workflowId === workflowId ? progress : undefined;
}

/** Replaces what a node keeps. n8n saves it after the hooks. */
export function writeRegistration(context: StaticDataContext, registration: Registration): void {
  const { progress, ...registered } = registration;
  const data = nodeData(context);
  // n8n notices a change at this level only.
  context.getWorkflowStaticData('global')[staticDataKey(NODE, context)] =
    data === undefined ? { ...registration } : { progress };
  if (data === undefined) return;
  delete data.endpoint;
  Object.assign(data, registered);
}

/** The node's own data; `undefined` when something stands in its place that can hold no fields. */
function nodeData(context: StaticDataContext): IDataObject | undefined {
  const data: unknown = context.getWorkflowStaticData('node');
  return isRecord(data) ? context.getWorkflowStaticData('node') : undefined;
}

/**
 * What is kept in the workflow's own data, under the node's ID. A node's data are lost when it gets another name, and
 * what happened since would be lost with the progress. A node cannot replace damaged data of its own either, so then
 * all is kept here.
 */
function dataOfId(context: StaticDataContext): Record<string, unknown> {
  const data = context.getWorkflowStaticData('global')[staticDataKey(NODE, context)];
  return isRecord(data) ? data : {};
}

function isProgress(value: unknown): value is FeedProgress {
  return (
    isRecord(value) &&
    ['agency', 'workflowId'].every((name) => typeof value[name] === 'string') &&
    isTime(value.since) &&
    (value.passed === undefined || isTime(value.passed)) &&
    (value.position === undefined || typeof value.position === 'string')
  );
}
