import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  createRunExecutionData,
  type IDataObject,
  type INode,
  type INodeType,
  type IRun,
  type ITriggerFunctions,
  type IWebhookData,
  type IWorkflowExecuteAdditionalData,
  Workflow,
} from 'n8n-workflow';
import { additionalData, loadEngine } from '../../support/engine';
import { until } from '../../support/time/until';
import { anEvent, signedCall, VECTOR_SECRET } from '../../support/trigger/signing';
import { benchAgencyAt } from '../agency/process';
import { runChain, stepMakers } from '../in-process';
import { ProcessMemory } from '../memory/process-memory';
import { pagesByHttp } from '../contenders/parameters';

/**
 * A comparison of a trigger with an event feed, in a process of its own, which has to run with --expose-gc. The events
 * that are missing are handed to an n8n that takes them at once. Prints one line of JSON.
 */
const TOKEN = 'key';
const DAY_MS = 86_400_000;
/** The nodes' pause between two pages of the feed, which is there to spare the agency, and how long it takes here. */
const PAUSE_MS = 1000;
const SHORT_PAUSE_MS = 5;
const QUIET_MS = 300;
const DIST = join(__dirname, '../../../dist/nodes');
const NODE = 'Agency events';
const HOST = 'https://n8n.example';

/** What a start took; memory is in megabytes above the idle process. */
export interface Start {
  requests: number;
  /** Events that were handed to n8n. */
  events: number;
  milliseconds: number;
  /** From the start until a call to the webhook was answered. */
  answeredMs: number;
  peak: number;
  held: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      who: { type: 'string', default: '' },
      url: { type: 'string', default: '' },
      /** The position in the feed that is kept, and how many events come after it. */
      position: { type: 'string', default: '0' },
      events: { type: 'string', default: '0' },
    },
  });
  const begin = { webhook: byWebhook, feed: byFeed, http: byHttp }[values.who];
  if (begin === undefined) throw new Error('There is no such trigger.');
  const agency = benchAgencyAt(values.url);
  await loadEngine();
  await stepMakers();
  const memory = await ProcessMemory.watch();
  await agency.reset();
  const lengthenPauses = shortenPauses();
  const started = performance.now();
  const { events, answeredMs } = await begin(values.url, values.position, Number(values.events));
  const milliseconds = performance.now() - started;
  lengthenPauses();
  // Nothing may follow.
  await wait(QUIET_MS);
  const { requests } = await agency.counts();
  const start: Start = {
    requests,
    events,
    milliseconds,
    answeredMs,
    peak: await memory.peak(),
    held: await memory.held(),
  };
  console.log(JSON.stringify(start));
  process.exit(0);
}

type Begun = Promise<Pick<Start, 'events' | 'answeredMs'>>;

/** @returns what makes them as long as before */
function shortenPauses(): () => void {
  const real = globalThis.setTimeout;
  const shortened = <T extends unknown[]>(done: (...given: T) => void, milliseconds?: number, ...given: T) =>
    real(done, milliseconds === PAUSE_MS ? SHORT_PAUSE_MS : milliseconds, ...given);
  globalThis.setTimeout = Object.assign(shortened, { __promisify__: real.__promisify__ });
  return () => {
    globalThis.setTimeout = real;
  };
}

/** A workflow that begins with a trigger, as a start of n8n makes it. */
async function published(url: string, name: string, progress: IDataObject, own: IDataObject = {}) {
  const loaded = await import(join(DIST, `${name}/${name}.node.js`));
  const type: INodeType = new loaded[name]();
  const node: INode = {
    id: 'node-1',
    name: NODE,
    type: name,
    typeVersion: [type.description.version].flat().at(-1) ?? 1,
    position: [0, 0],
    parameters: {},
    webhookId: 'hook-1',
    credentials: { accountingAgencyApi: { id: 'credential-1', name: 'Agency' } },
  };
  const workflow = new Workflow({
    id: 'workflow-1',
    name: 'Bench',
    active: true,
    nodes: [node],
    connections: {},
    nodeTypes: { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) },
    staticData: { [`node:${NODE}`]: own, global: { [`${type.description.name}:node-1`]: progress } },
    settings: { executionOrder: 'v1' },
  });
  const additional = {
    ...(await additionalData({ address: url, token: TOKEN }, 'trigger')),
    webhookBaseUrl: `${HOST}/webhook`,
  };
  return { type, workflow, node: workflow.getNode(NODE) ?? node, additional };
}

type Published = Awaited<ReturnType<typeof published>>;

/** The trigger, with a position in the feed that was kept. */
async function byWebhook(url: string, position: string, wanted: number): Begun {
  const since = new Date(Date.now() - 2.5 * DAY_MS).toISOString();
  const place = { workflowId: 'workflow-1', agency: url };
  const endpoint = {
    ...place,
    id: 'endpoint-1',
    secret: VECTOR_SECRET,
    url: `${HOST}/webhook/hook-1/webhook`,
    eventTypes: ['*'],
    createdAt: since,
  };
  const progress = { ...place, since, position };
  const stage = await published(url, 'AccountingAgencyTrigger', { progress }, { endpoint, generation: 0 });
  let events = 0;
  const context = await triggerContext(stage, () => {
    events += 1;
  });
  const started = performance.now();
  await stage.type.trigger?.call(context);
  await answered(stage);
  const answeredMs = performance.now() - started;
  await until('the events to be handed to n8n', () => events >= wanted, 300_000);
  return { events, answeredMs };
}

async function triggerContext(
  { workflow, node, additional }: Published,
  taken: () => void,
): Promise<ITriggerFunctions> {
  const { TriggerContext } = await loadEngine();
  const run: IRun = {
    data: createRunExecutionData(),
    mode: 'trigger',
    startedAt: new Date(),
    status: 'success',
    storedAt: 'db',
  };
  const emit: ITriggerFunctions['emit'] = (_data, _response, done) => {
    taken();
    done?.resolve(run);
  };
  const failed = (error: Error) => {
    throw error;
  };
  const scheduling = { registerCron: () => undefined };
  return new TriggerContext(workflow, node, additional, 'trigger', 'init', emit, failed, failed, scheduling);
}

/** Hands a genuine call to the trigger. */
async function answered({ type, workflow, node, additional }: Published): Promise<void> {
  const { WebhookContext } = await loadEngine();
  const [webhookDescription] = type.description.webhooks ?? [];
  if (webhookDescription === undefined) throw new Error('The trigger has no webhook.');
  const id = 'evt_live';
  const call = signedCall(JSON.stringify(anEvent({ id })), VECTOR_SECRET, id);
  const its: IWorkflowExecuteAdditionalData = {
    ...additional,
    httpRequest: { body: {}, params: {}, query: {}, ...call },
  };
  const data: IWebhookData = {
    httpMethod: 'POST',
    node: NODE,
    path: 'hook-1/webhook',
    webhookDescription,
    workflowId: 'workflow-1',
    workflowExecuteAdditionalData: its,
  };
  const context = new WebhookContext(workflow, node, its, 'webhook', data, [], null);
  const taken = await type.webhook?.call(context);
  if (taken?.workflowData === undefined) throw new Error('The trigger did not take a genuine call.');
}

/** One poll of the Feed Trigger. */
async function byFeed(url: string, cursor: string): Begun {
  const { PollContext } = await loadEngine();
  const position = {
    workflowId: 'workflow-1',
    agency: url,
    startDate: '',
    since: new Date().toISOString(),
    isSearching: false,
    turns: 1,
    cursor,
    passed: [],
  };
  const { type, workflow, node, additional } = await published(url, 'AccountingAgencyFeedTrigger', position);
  const context = new PollContext(workflow, node, additional, 'trigger', 'init', () => undefined);
  const started = performance.now();
  const items = await type.poll?.call(context);
  return { events: items?.[0]?.length ?? 0, answeredMs: performance.now() - started };
}

/** What a Schedule Trigger and an HTTP Request node do: one execution that holds all events. */
async function byHttp(url: string, position: string): Begun {
  const { http } = await stepMakers();
  const path = position === '0' ? '/events' : `/events?after=${position}`;
  const step = http(pagesByHttp(url, path, 'after', TOKEN));
  const { items } = await runChain([step], { address: url, token: TOKEN }, async () => [{ json: {} }]);
  return { events: items.length, answeredMs: 0 };
}

void main();
