import {
  deepCopy,
  type IDataObject,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type IPollFunctions,
  Workflow,
  type WorkflowActivateMode,
} from 'n8n-workflow';
import { AccountingAgencyFeedTrigger } from '../../../nodes/AccountingAgencyFeedTrigger/AccountingAgencyFeedTrigger.node';
import type { AgencyCredential } from '../credentials';
import { additionalData, loadEngine } from '../engine';

const NODE_ID = 'node-1';
const type = new AccountingAgencyFeedTrigger();

let workflows = 0;

/** A workflow that begins with the Feed Trigger, in n8n's own poll context. */
export class FeedWorkflow {
  /** The column of n8n's database: JSON text. */
  staticData = '{}';
  nodeName = 'Agency events';
  /** Whether it is n8n 1, which runs what a poll gives although the workflow was published again meanwhile. */
  classic = false;
  readonly warnings: string[] = [];
  readonly infos: string[] = [];
  /** Errors that n8n would store as failed executions without a failed poll. */
  readonly failedExecutions: string[] = [];
  /** With durable poll cursors: the row of n8n's table for them. */
  private cursor?: IDataObject;
  private context?: IPollFunctions;
  private workflow?: Workflow;

  constructor(
    public credential: AgencyCredential,
    public parameters: INodeParameters = {},
    readonly id = `feed-${(workflows += 1)}`,
  ) {}

  /** What the node keeps. */
  get position(): IDataObject | undefined {
    return JSON.parse(this.staticData).global?.[`accountingAgencyFeedTrigger:${NODE_ID}`];
  }

  /** Publishes the workflow, or starts n8n, which polls at once. */
  async start(activation: WorkflowActivateMode = 'activate'): Promise<INodeExecutionData[]> {
    const { PollContext } = await loadEngine();
    const { workflow, node } = this.made();
    this.workflow = workflow;
    const additional = await additionalData(this.credential, 'trigger');
    const emitError = (error: Error) => this.failedExecutions.push(error.message);
    this.context = new PollContext(
      workflow,
      node,
      additional,
      'trigger',
      activation,
      () => undefined,
      emitError,
    );
    const items = await this.poll();
    this.save();
    return items;
  }

  /** One poll as n8n makes it: static data is saved with the items of an execution only. */
  async poll(): Promise<INodeExecutionData[]> {
    const { context, workflow } = this;
    if (context === undefined) throw new Error('The workflow is not published.');
    const { logger } = context;
    const warn = jest.spyOn(logger, 'warn').mockImplementation((said) => this.warnings.push(said));
    const info = jest.spyOn(logger, 'info').mockImplementation((said) => this.infos.push(said));
    const polled = type.poll.call(context);
    const data = await polled.finally(() => [warn, info].forEach((spy) => spy.mockRestore()));
    if (data === null || (context !== this.context && !this.classic)) return [];
    this.save(workflow);
    return data[0] ?? [];
  }

  /**
   * One poll with the durable poll cursors of n8n 2: it has a context of its own, and what it leaves in the node's own
   * data is saved with the items or without; the workflow's data are saved with items only.
   */
  async pollDurably(): Promise<INodeExecutionData[]> {
    const { PollContext } = await loadEngine();
    const { workflow, node } = this.made();
    const additional = await additionalData(this.credential, 'trigger');
    const own: IDataObject = deepCopy(this.cursor ?? { ...workflow.getStaticData('node', node) });
    const context = new PollContext(
      workflow,
      node,
      additional,
      'trigger',
      'update',
      () => undefined,
      () => undefined,
      async () => undefined,
      async (polling) => await polling(),
      () => own,
    );
    const data = await type.poll.call(context);
    this.cursor = own;
    if (data !== null) this.save(workflow);
    return data?.[0] ?? [];
  }

  /** "Fetch Test Event" in the editor. */
  async fetchTestEvent(): Promise<INodeExecutionData[]> {
    const { PollContext } = await loadEngine();
    const { workflow, node } = this.made();
    const additional = await additionalData(this.credential, 'manual');
    const context = new PollContext(workflow, node, additional, 'manual', 'manual');
    const data = await type.poll.call(context);
    expect(workflow.staticData.__dataChanged).not.toBe(true);
    return data?.[0] ?? [];
  }

  private made(): { workflow: Workflow; node: INode } {
    const node: INode = {
      id: NODE_ID,
      name: this.nodeName,
      type: 'feedTrigger',
      typeVersion: 1,
      position: [0, 0],
      parameters: deepCopy(this.parameters),
      credentials: { accountingAgencyApi: { id: 'credential-1', name: 'Agency' } },
    };
    const workflow = new Workflow({
      id: this.id,
      name: 'Test',
      active: true,
      nodes: [node],
      connections: {},
      nodeTypes: { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) },
      staticData: JSON.parse(this.staticData),
      settings: { executionOrder: 'v1', timezone: 'Europe/Tallinn' },
    });
    return { workflow, node };
  }

  private save(workflow = this.workflow): void {
    if (workflow?.staticData.__dataChanged !== true) return;
    this.staticData = JSON.stringify(workflow.staticData);
    workflow.staticData.__dataChanged = false;
  }
}
