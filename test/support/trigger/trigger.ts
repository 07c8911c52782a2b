import {
  createRunExecutionData,
  type Cron,
  deepCopy,
  type IDataObject,
  type INodeExecutionData,
  type IRun,
  type ITriggerFunctions,
  type IWebhookFunctions,
  type IWorkflowExecuteAdditionalData,
  type WorkflowActivateMode,
  type WorkflowExecuteMode,
} from 'n8n-workflow';
import { loadEngine } from '../engine';
import { useEntries } from './processed';
import {
  type Ran,
  save,
  type Stage,
  stageOf,
  type StoredWorkflow,
  surroundings,
  triggerType,
} from '../workflow';

export { keptEndpoint, type StoredWorkflow, storedWorkflow } from '../workflow';

/** How n8n answered a call to the webhook address, and the items of the execution that it stored, if it did. */
export interface CallResult {
  status: number;
  body: unknown;
  /** Whether it is answered already; otherwise the node answers it later. */
  isAnswered: boolean;
  items?: INodeExecutionData[];
}

/** A call as n8n's server hands it to the node. */
export interface HttpCall {
  headers: Record<string, unknown>;
  rawBody?: Buffer;
  /** Reads a body that n8n has not read itself, as its request object does. */
  readRawBody?(this: HttpCall): Promise<void>;
}

/** The part of the trigger that runs beside its webhook. */
export interface RunningTrigger {
  /** What it gave to n8n, with the key by which n8n knows repeats. */
  emitted: Array<{ event: IDataObject; key?: string }>;
  /** How many executions ran at the same time at most. */
  atOnce: number;
  /** What n8n calls every minute. */
  tick: () => void;
  close: () => Promise<void>;
}

type HookName = 'checkExists' | 'create' | 'delete';

/**
 * n8n around the trigger: the hook and webhook contexts of n8n-core, and what its server does with them. As n8n 2 does,
 * it lets expressions be evaluated only until a function of the node has returned, if the test has started that engine.
 */
export class Host {
  /** What the next nodes were given, over all executions. */
  readonly ran: Ran = [];

  /** What hooks and calls wrote into n8n's log: warnings, and what is said in the ordinary course. */
  readonly warnings: string[] = [];
  readonly infos: string[] = [];
  readonly errors: string[] = [];

  /** Errors that n8n 2 would store as failed executions, which run the error workflow. */
  readonly failedExecutions: string[] = [];

  /** Whether it is an n8n before 1.105, whose cron is a text. */
  takesTextCron = false;

  /** How many of the next executions n8n cannot store. */
  storeFaults = 0;

  private readonly runs = new Map<string, Promise<IRun>>();
  private executions = 0;

  /** @param classic whether n8n 1.x: a refused activation calls `delete` on the stored data, and no key ends repeats */
  constructor(private readonly classic = false) {}

  /** Activates as n8n does: what the hooks noted is saved only when none of them threw. */
  async activate(stored: StoredWorkflow, activation: WorkflowActivateMode = 'activate'): Promise<void> {
    const stage = await stageOf(stored, this.ran);
    const [outcome] = await Promise.allSettled([this.createIfNotThere(stage, activation)]);
    if (outcome.status === 'rejected') {
      const clearing = this.classic ? await stageOf(stored, this.ran) : stage;
      await Promise.allSettled([this.hook('delete', clearing, 'update')]);
      save(stored, clearing.workflow);
      throw outcome.reason;
    }
    save(stored, stage.workflow);
  }

  /** What happens when n8n is killed after the hooks have run and before their data is saved. */
  async activateAndDie(stored: StoredWorkflow): Promise<void> {
    await this.createIfNotThere(await stageOf(stored, this.ran), 'activate');
  }

  async deactivate(stored: StoredWorkflow): Promise<void> {
    const stage = await stageOf(stored, this.ran);
    await this.hook('delete', stage, 'update');
    save(stored, stage.workflow);
  }

  /** "Listen for test event": a registration of its own, which never sees the stored data. */
  async listen(stored: StoredWorkflow) {
    const test = { ...stored, staticData: '{}' };
    const stage = await stageOf(test, this.ran, true);
    await this.createIfNotThere(stage, 'manual');
    save(test, stage.workflow);
    return {
      test,
      call: async (call: HttpCall) => await this.call(test, call, 'manual'),
      stop: async () => {
        await this.hook('delete', await stageOf(test, this.ran, true), 'update');
      },
    };
  }

  /** Hands a call to the node, as n8n's server does for each one with a fresh read of the stored data. */
  async call(
    stored: StoredWorkflow,
    call: HttpCall,
    mode: WorkflowExecuteMode = 'webhook',
  ): Promise<CallResult> {
    const { WebhookContext } = await loadEngine();
    const { workflow, node, data } = await stageOf(stored, this.ran, mode === 'manual');
    const responseCode = triggerType.description.webhooks?.[0]?.responseCode;
    const code = workflow.expression.getSimpleParameterValue(node, responseCode, mode, {}, undefined, 200);
    const answer: CallResult = { status: Number(code), body: undefined, isAnswered: false };
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
          answer.isAnswered = true;
          return this;
        },
        end() {
          answer.isAnswered = true;
          return this;
        },
      },
    };
    const context = new WebhookContext(workflow, node, additional, mode, data, [], null);
    const { logger } = context;
    const warn = jest.spyOn(logger, 'warn').mockImplementation((said) => this.warnings.push(said));
    const own: IWebhookFunctions = Object.create(context, {
      ...(this.classic && { getWebhookResourceUrl: { value: undefined } }),
    });
    const taken = workflow.expression.withIsolate(async () => await triggerType.webhook.call(own));
    const { workflowData, noWebhookResponse } = await taken.finally(() => warn.mockRestore());
    // n8n 2 loses what a call that starts an execution has changed.
    if (workflowData === undefined) save(stored, workflow);
    if (noWebhookResponse !== true) answer.isAnswered = true;
    return Object.assign(answer, { items: workflowData?.[0] });
  }

  /** Runs a stored execution in n8n's engine, from the trigger on. */
  async execute(
    stored: StoredWorkflow,
    items: INodeExecutionData[],
    mode: WorkflowExecuteMode = 'webhook',
  ): Promise<IRun> {
    const { WorkflowExecute } = await loadEngine();
    await useEntries();
    const { workflow, node } = await stageOf(stored, this.ran);
    const executionData = { nodeExecutionStack: [{ node, data: { main: [deepCopy(items)] }, source: null }] };
    const data = createRunExecutionData({ executionData });
    this.executions += 1;
    const additional = await surroundings(stored, mode, `execution-${this.executions}`);
    return await new WorkflowExecute(additional, mode, data).processRunExecutionData(workflow);
  }

  /** One call and, when n8n has stored an execution for it, that execution. */
  async deliver(stored: StoredWorkflow, call: HttpCall): Promise<CallResult> {
    const result = await this.call(stored, call);
    if (result.items !== undefined) await this.execute(stored, result.items);
    return result;
  }

  /**
   * Starts what runs beside the hooks, as n8n does when it publishes a workflow or starts itself: with its own copy of
   * the stored data, which it saves with each event that is emitted, if the node has changed it.
   */
  async start(
    stored: StoredWorkflow,
    activation: WorkflowActivateMode = 'activate',
  ): Promise<RunningTrigger> {
    await this.activate(stored, activation);
    return await this.startAlone(stored, activation);
  }

  /** The same without the hooks, which another process of n8n has called. */
  async startAlone(stored: StoredWorkflow, activation: WorkflowActivateMode): Promise<RunningTrigger> {
    const { TriggerContext } = await loadEngine();
    const { workflow, node } = await stageOf(stored, this.ran);
    const running: RunningTrigger = {
      emitted: [],
      atOnce: 0,
      tick: () => undefined,
      close: async () => undefined,
    };
    let now = 0;
    const emit: ITriggerFunctions['emit'] = (data, _, done, key) => {
      save(stored, workflow);
      running.emitted.push({ event: data[0]?.[0]?.json ?? {}, key });
      running.atOnce = Math.max(running.atOnce, (now += 1));
      void this.run(stored, data[0] ?? [], key)
        .finally(() => (now -= 1))
        .then(
          (run) => done?.resolve(run),
          (error: Error) => done?.reject(error),
        );
    };
    const unused = () => {
      throw new Error('Not part of this.');
    };
    const scheduling = {
      registerCron: (_: Cron, onTick: (at: Date) => void) => {
        if (this.takesTextCron) throw new TypeError('source.toLowerCase is not a function');
        running.tick = () => onTick(new Date());
      },
    };
    const additional = await surroundings(stored);
    const context = new TriggerContext(
      workflow,
      node,
      additional,
      'trigger',
      activation,
      emit,
      unused,
      (error) => this.failedExecutions.push(error.message),
      scheduling,
    );
    // Its own, since it goes on while other contexts come and go.
    const warn = (said: string) => this.warnings.push(said);
    const info = (said: string) => this.infos.push(said);
    const error = (said: string) => this.errors.push(said);
    const logger = { value: { ...context.logger, warn, info, error } };
    const own: ITriggerFunctions = Object.create(context, {
      logger,
      ...(this.classic && { saveFailedExecution: { value: undefined } }),
    });
    const response = await workflow.expression.withIsolate(async () => await triggerType.trigger.call(own));
    running.close = async () => await response.closeFunction?.();
    return running;
  }

  /** An execution that `trigger()` started: n8n 2 makes no second one for a key. */
  private async run(stored: StoredWorkflow, items: INodeExecutionData[], key?: string): Promise<IRun> {
    if (this.storeFaults > 0) {
      this.storeFaults -= 1;
      throw new Error('SQLITE_BUSY');
    }
    const before = this.classic || key === undefined ? undefined : this.runs.get(key);
    const run = before ?? this.execute(stored, items, 'trigger');
    if (key !== undefined) this.runs.set(key, run);
    return await run;
  }

  private async createIfNotThere(stage: Stage, activation: WorkflowActivateMode): Promise<void> {
    if (!(await this.hook('checkExists', stage, activation))) await this.hook('create', stage, activation);
  }

  private async hook(name: HookName, { workflow, node, data }: Stage, activation: WorkflowActivateMode) {
    const { HookContext } = await loadEngine();
    const mode = activation === 'manual' ? 'manual' : 'trigger';
    const additional = data.workflowExecuteAdditionalData;
    const context = new HookContext(workflow, node, additional, mode, activation, data);
    const { logger } = context;
    const warn = jest.spyOn(logger, 'warn').mockImplementation((said) => this.warnings.push(said));
    const info = jest.spyOn(logger, 'info').mockImplementation((said) => this.infos.push(said));
    const called = workflow.expression.withIsolate(
      async () => await triggerType.webhookMethods.default[name].call(context),
    );
    return await called.finally(() => [warn, info].forEach((spy) => spy.mockRestore()));
  }
}
