import { setTimeout as wait } from 'node:timers/promises';
import {
  type IDataDeduplicator,
  type IDataObject,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type INodeType,
  type IRun,
  type IWebhookData,
  type IWorkflowExecuteAdditionalData,
  type WorkflowActivateMode,
  type WorkflowExecuteMode,
  createRunExecutionData,
  deepCopy,
  Workflow,
} from 'n8n-workflow';
import { AccountingAgencyTrigger } from '../../nodes/AccountingAgencyTrigger/AccountingAgencyTrigger.node';
import type { AgencyCredential } from './credentials';
import { additionalData, loadEngine } from './engine';
import { ProcessedEntries } from './entries';

/** A workflow that begins with the trigger, as it is stored in n8n. */
export interface StoredWorkflow {
  id: string;
  credential: AgencyCredential;
  parameters: INodeParameters;
  nodeId: string;
  nodeName: string;
  webhookId: string;
  /** n8n's own address. */
  host: string;
  /** The column of the database: JSON text. */
  staticData: string;
}

/** How n8n answered a call to the webhook address, and the items of the execution that it stored, if it did. */
export interface CallResult {
  status: number;
  body: unknown;
  items?: INodeExecutionData[];
}

/** A call as n8n's server hands it to the node. */
export interface HttpCall {
  headers: Record<string, unknown>;
  rawBody?: Buffer;
  /** Reads a body that n8n has not read itself, as its request object does. */
  readRawBody?(this: HttpCall): Promise<void>;
}

type HookName = 'checkExists' | 'create' | 'delete';
type Stage = { workflow: Workflow; node: INode; data: IWebhookData };

const type = new AccountingAgencyTrigger();

/** The events whose next nodes ran: what the node after the trigger was given. */
export type Ran = IDataObject[];

function recorder(ran: Ran): INodeType {
  return {
    description: {
      displayName: 'Next',
      name: 'next',
      group: ['output'],
      version: 1,
      description: 'Notes what it is given',
      defaults: { name: 'Next' },
      inputs: ['main'],
      outputs: ['main'],
      properties: [],
    },
    async execute() {
      ran.push(...this.getInputData().map(({ json }) => json));
      return [this.getInputData()];
    },
  };
}

let workflows = 0;

/** A new workflow with the trigger. */
export function storedWorkflow(
  credential: AgencyCredential,
  changes: Partial<StoredWorkflow> = {},
): StoredWorkflow {
  workflows += 1;
  return {
    id: `workflow-${workflows}`,
    credential,
    parameters: {},
    nodeId: `node-${workflows}`,
    nodeName: 'Agency events',
    webhookId: `hook-${workflows}`,
    host: 'https://n8n.example',
    staticData: '{}',
    ...changes,
  };
}

/** n8n around the trigger: the hook and webhook contexts of n8n-core, and what its server does with them. */
export class Host {
  /** What the next nodes were given, over all executions. */
  readonly ran: Ran = [];

  /** What the hooks wrote into n8n's log. */
  readonly warnings: string[] = [];

  /** n8n's store of processed values. */
  static readonly entries = new Map<string, ProcessedEntries>();

  private executions = 0;

  /** @param classic whether a refused activation calls `delete` on the stored data, as n8n 1.x does */
  constructor(private readonly classic = false) {}

  /** Activates as n8n does: what the hooks noted is saved only when none of them threw. */
  async activate(stored: StoredWorkflow, activation: WorkflowActivateMode = 'activate'): Promise<void> {
    const stage = await this.stage(stored);
    const [outcome] = await Promise.allSettled([this.createIfNotThere(stage, activation)]);
    if (outcome.status === 'rejected') {
      const clearing = this.classic ? await this.stage(stored) : stage;
      await Promise.allSettled([this.hook('delete', clearing, 'update')]);
      save(stored, clearing.workflow);
      throw outcome.reason;
    }
    save(stored, stage.workflow);
  }

  /** What happens when n8n is killed after the hooks have run and before their data is saved. */
  async activateAndDie(stored: StoredWorkflow): Promise<void> {
    await this.createIfNotThere(await this.stage(stored), 'activate');
  }

  async deactivate(stored: StoredWorkflow): Promise<void> {
    const stage = await this.stage(stored);
    await this.hook('delete', stage, 'update');
    save(stored, stage.workflow);
  }

  /** "Listen for test event": a registration of its own, which never sees the stored data. */
  async listen(stored: StoredWorkflow) {
    const test = { ...stored, staticData: '{}' };
    const stage = await this.stage(test, true);
    await this.createIfNotThere(stage, 'manual');
    save(test, stage.workflow);
    return {
      test,
      call: async (call: HttpCall) => await this.call(test, call, 'manual'),
      stop: async () => await this.hook('delete', await this.stage(test, true), 'update'),
    };
  }

  /** Hands a call to the node, as n8n's server does for each one with a fresh read of the stored data. */
  async call(
    stored: StoredWorkflow,
    call: HttpCall,
    mode: WorkflowExecuteMode = 'webhook',
  ): Promise<CallResult> {
    const { WebhookContext } = await loadEngine();
    const { workflow, node, data } = await this.stage(stored, mode === 'manual');
    const answer: CallResult = { status: 200, body: undefined };
    const additional: IWorkflowExecuteAdditionalData = {
      ...data.workflowExecuteAdditionalData,
      httpRequest: { body: {}, params: {}, query: {}, ...call },
      httpResponse: {
        status(status: number) {
          answer.status = status;
          return this;
        },
        json(body: unknown) {
          answer.body = body;
          return this;
        },
      },
    };
    const context = new WebhookContext(workflow, node, additional, mode, data, [], null);
    const { workflowData } = await type.webhook.call(context);
    return { ...answer, items: workflowData?.[0] };
  }

  /** Runs a stored execution in n8n's engine, from the trigger on. */
  async execute(
    stored: StoredWorkflow,
    items: INodeExecutionData[],
    mode: WorkflowExecuteMode = 'webhook',
    executionId = `execution-${(this.executions += 1)}`,
  ): Promise<IRun> {
    const { WorkflowExecute } = await loadEngine();
    await useEntries();
    const { workflow, node } = await this.stage(stored);
    const executionData = { nodeExecutionStack: [{ node, data: { main: [deepCopy(items)] }, source: null }] };
    const data = createRunExecutionData({ executionData });
    const additional = await surroundings(stored, mode, executionId);
    return await new WorkflowExecute(additional, mode, data).processRunExecutionData(workflow);
  }

  /** One call and, when n8n has stored an execution for it, that execution. */
  async deliver(stored: StoredWorkflow, call: HttpCall): Promise<CallResult> {
    const result = await this.call(stored, call);
    if (result.items !== undefined) await this.execute(stored, result.items);
    return result;
  }

  private async createIfNotThere(stage: Stage, activation: WorkflowActivateMode): Promise<void> {
    if (!(await this.hook('checkExists', stage, activation))) await this.hook('create', stage, activation);
  }

  private async hook(name: HookName, { workflow, node, data }: Stage, activation: WorkflowActivateMode) {
    const { HookContext } = await loadEngine();
    const mode = activation === 'manual' ? 'manual' : 'trigger';
    const additional = data.workflowExecuteAdditionalData;
    const context = new HookContext(workflow, node, additional, mode, activation, data);
    const warn = jest.spyOn(context.logger, 'warn').mockImplementation((said) => this.warnings.push(said));
    const hook = type.webhookMethods.default[name].call(context);
    return await hook.finally(() => warn.mockRestore());
  }

  private async stage(stored: StoredWorkflow, isTest = false): Promise<Stage> {
    const node: INode = {
      id: stored.nodeId,
      name: stored.nodeName,
      type: 'trigger',
      typeVersion: 2,
      position: [0, 0],
      parameters: deepCopy(stored.parameters),
      webhookId: stored.webhookId,
      credentials: { accountingAgencyApi: { id: 'credential-1', name: 'Agency' } },
    };
    const next: INode = {
      id: 'next-1',
      name: 'Next',
      type: 'next',
      typeVersion: 1,
      position: [200, 0],
      parameters: {},
    };
    const types: Record<string, INodeType> = { trigger: type, next: recorder(this.ran) };
    const find = (name: string) => types[name] ?? recorder([]);
    const workflow = new Workflow({
      id: stored.id,
      name: 'Test',
      active: !isTest,
      nodes: [node, next],
      connections: { [stored.nodeName]: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } },
      nodeTypes: { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) },
      staticData: JSON.parse(stored.staticData),
      settings: { executionOrder: 'v1' },
    });
    const [webhookDescription] = type.description.webhooks ?? [];
    if (webhookDescription === undefined) throw new Error('The trigger has no webhook.');
    const data: IWebhookData = {
      httpMethod: 'POST',
      node: node.name,
      path: `${stored.webhookId}/webhook`,
      webhookDescription,
      workflowId: stored.id,
      isTest,
      workflowExecuteAdditionalData: await surroundings(stored),
    };
    return { workflow, node: workflow.getNode(node.name) ?? node, data };
  }
}

/** The additional data of an n8n that has the workflow's address. */
async function surroundings(
  { credential, host }: StoredWorkflow,
  mode?: WorkflowExecuteMode,
  executionId?: string,
): Promise<IWorkflowExecuteAdditionalData> {
  return {
    ...(await additionalData(credential, mode, executionId)),
    webhookBaseUrl: `${host}/webhook`,
    webhookTestBaseUrl: `${host}/webhook-test`,
    webhookWaitingBaseUrl: `${host}/webhook-waiting`,
    formWaitingBaseUrl: `${host}/form-waiting`,
  };
}

/** What the node keeps, as it is stored. */
export function keptEndpoint(stored: StoredWorkflow): Record<string, unknown> | undefined {
  return JSON.parse(stored.staticData)[`node:${stored.nodeName}`]?.endpoint;
}

/** Waits until something holds, and says what it waited for when it does not. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, milliseconds = 5_000) {
  const end = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited ${milliseconds} ms for ${what}.`);
    await wait(20);
  }
}

/** As n8n does it: nothing is written when nothing has changed. */
function save(stored: StoredWorkflow, { staticData }: Workflow): void {
  if (staticData.__dataChanged === true) stored.staticData = JSON.stringify(staticData);
}

let entriesInUse: Promise<void> | undefined;

/** Gives n8n's engine a store of processed values, one row for each workflow and node. */
async function useEntries(): Promise<void> {
  entriesInUse ??= loadEngine().then(async ({ DataDeduplicationService }) => {
    const rowOf = ({ workflow, node }: Parameters<IDataDeduplicator['removeProcessed']>[2]) => {
      const key = `${workflow.id}/${node?.id}`;
      const row = Host.entries.get(key) ?? new ProcessedEntries(1);
      Host.entries.set(key, row);
      return row;
    };
    await DataDeduplicationService.init({
      checkProcessedAndRecord: async (items, scope, context, options) =>
        await rowOf(context).checkProcessedAndRecord(items.map(String), scope, options),
      removeProcessed: async (items, _, context) => await rowOf(context).removeProcessed(items.map(String)),
      clearAllProcessedItems: async (_, context) => {
        Host.entries.delete(`${context.workflow.id}/${context.node?.id}`);
      },
      getProcessedDataCount: async (_, context) => rowOf(context).entries.length,
    });
  });
  await entriesInUse;
}
