import './n8n-folder.mjs';
import { Container } from '@n8n/di';
import type {
  IConnections,
  IDataObject,
  IExecuteFunctions,
  INode,
  INodeExecutionData,
  INodeParameters,
  INodeType,
  INodeTypes,
  IRun,
  IRunExecutionData,
  IWorkflowExecuteAdditionalData,
  IWorkflowSettings,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import { type AgencyCredential, OneCredential } from './credentials';

/** n8n's own engine, with new services for each test file, and binary data on disk or in memory. */
export async function loadEngine(binaryMode: 'filesystem' | 'default' = 'filesystem') {
  process.env.N8N_DEFAULT_BINARY_DATA_MODE = binaryMode;
  const core = await import('n8n-core');
  await Container.get(core.BinaryDataService).init();
  return core;
}

/** What one run of a node is made of. */
export interface NodeRun {
  type: INodeType;
  parameters: INodeParameters;
  credential: AgencyCredential;
  /** The input items, made by a node before, so that binaries can be put into the store first. */
  input?: INodeExecutionData[] | ((this: IExecuteFunctions) => Promise<INodeExecutionData[]>);
  onError?: INode['onError'];
  retryOnFail?: boolean;
  mode?: WorkflowExecuteMode;
  executionId?: string;
  timezone?: string;
  settings?: IWorkflowSettings;
  /** How often the node runs in the execution with the same input, as in a loop; once if nothing is said. */
  turns?: number;
  /** How many nodes that are alike in all but name and ID get the input, each after the one before; one if nothing is said. */
  alike?: number;
  /** ID of the workflow that the node is in. */
  workflowId?: string;
  /** Continues from a stored state, as "Retry execution" does. */
  resume?: IRunExecutionData;
  /** What n8n keeps of the workflow from one execution to the next; the run changes it. */
  staticData?: IDataObject;
  /** As in n8n 1.x, whose executions have no token for going on after a wait. */
  tokenless?: boolean;
  /** Cancels the run. */
  signal?: AbortSignal;
}

const NODE = 'Agency';

function source(input: NodeRun['input']): INodeType {
  return {
    description: {
      displayName: 'Source',
      name: 'source',
      group: ['input'],
      version: 1,
      description: 'Gives the input of a test',
      defaults: { name: 'Source' },
      inputs: [],
      outputs: ['main'],
      properties: [],
    },
    async execute() {
      return [typeof input === 'function' ? await input.call(this) : (input ?? [{ json: {} }])];
    },
  };
}

/** The node types of a workflow, by name. */
export function nodeTypes(types: Record<string, INodeType>): INodeTypes {
  const find = (name: string): INodeType => {
    const type = types[name];
    if (type === undefined) throw new Error(`There is no node type ${name} in this test.`);
    return type;
  };
  return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

/** The additional data that n8n hands to its contexts, as far as a node in process needs it. */
export async function additionalData(
  credential: AgencyCredential,
  mode: WorkflowExecuteMode = 'manual',
  executionId = '1',
): Promise<IWorkflowExecuteAdditionalData> {
  const { ExecutionLifecycleHooks, ExternalSecretsProxy } = await import('n8n-core');
  const workflowData = {
    id: 'workflow-1',
    name: 'Test',
    active: false,
    isArchived: false,
    activeVersionId: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    nodes: [],
    connections: {},
  };
  const unused = () => {
    throw new Error('Not part of a run in process.');
  };
  return {
    credentialsHelper: new OneCredential(credential),
    hooks: new ExecutionLifecycleHooks(mode, executionId, workflowData),
    executionId,
    currentNodeExecutionIndex: 0,
    variables: {},
    externalSecretsProxy: new ExternalSecretsProxy(),
    restApiUrl: '',
    instanceBaseUrl: '',
    formBaseUrl: '',
    formWaitingBaseUrl: 'https://n8n.example/form-waiting',
    formTestBaseUrl: '',
    webhookBaseUrl: 'https://n8n.example/webhook',
    webhookWaitingBaseUrl: 'https://n8n.example/webhook-waiting',
    webhookTestBaseUrl: 'https://n8n.example/webhook-test',
    mcpBaseUrl: '',
    mcpTestBaseUrl: '',
    setExecutionStatus: () => undefined,
    executeWorkflow: unused,
    getRunExecutionData: unused,
    getRuntimeCredential: unused,
    logAiEvent: () => undefined,
    startRunnerTask: unused,
  };
}

/** The first has the plain name, whose output is looked at. */
const alikeNames = ({ alike = 1 }: NodeRun): string[] =>
  Array.from({ length: alike }, (_, index) => (index === 0 ? NODE : `${NODE} ${index + 1}`));

/** The workflow of a run: a source, and the node after it. */
function workflowOf(run: NodeRun): Workflow {
  const { name } = run.type.description;
  const nodes: INode[] = [
    { id: 'source-1', name: 'Source', type: 'source', typeVersion: 1, position: [0, 0], parameters: {} },
    ...alikeNames(run).map((alike, index) => ({
      id: `node-${index + 1}`,
      name: alike,
      type: name,
      typeVersion: [run.type.description.version].flat().at(-1) ?? 1,
      position: [200, 200 * index] satisfies INode['position'],
      parameters: run.parameters,
      credentials: { accountingAgencyApi: { id: 'credential-1', name: 'Agency' } },
      onError: run.onError,
      retryOnFail: run.retryOnFail,
      waitBetweenTries: run.retryOnFail ? 1 : undefined,
      maxTries: run.retryOnFail ? 2 : undefined,
    })),
  ];
  const turns = Array.from({ length: run.turns ?? 1 }, () =>
    alikeNames(run).map((node) => ({ node, type: 'main' as const, index: 0 })),
  ).flat();
  const connections: IConnections = { Source: { main: [turns] } };
  return new Workflow({
    id: run.workflowId ?? 'workflow-1',
    name: 'Test',
    active: false,
    nodes,
    connections,
    nodeTypes: nodeTypes({ source: source(run.input), [name]: run.type }),
    staticData: run.staticData,
    settings: { executionOrder: 'v1', timezone: run.timezone ?? 'Europe/Tallinn', ...run.settings },
  });
}

/** What came of a run. */
export interface NodeResult {
  /** Items of each output; the last is the error output, if errors have one. */
  outputs: INodeExecutionData[][];
  /** What n8n shows beside the output. */
  hints: string[];
  /** The error that stopped the run. */
  error?: Error & { description?: string | null; context?: Record<string, unknown> };
  run: IRun;
}

/** Runs a node in n8n's own engine and gives what came out of it. */
export async function runNode(run: NodeRun): Promise<NodeResult> {
  const { WorkflowExecute } = await loadEngine(
    process.env.N8N_DEFAULT_BINARY_DATA_MODE === 'default' ? 'default' : 'filesystem',
  );
  const mode = run.mode ?? 'manual';
  const data = await additionalData(run.credential, mode, run.executionId);
  const workflow = workflowOf(run);
  const state =
    run.tokenless === true ? { ...(run.resume ?? createRunExecutionData()), resumeToken: '' } : run.resume;
  const execution = new WorkflowExecute(data, mode, state);
  const running = run.resume
    ? execution.processRunExecutionData(workflow)
    : execution.run({ workflow, startNode: workflow.getNode('Source') ?? undefined });
  run.signal?.addEventListener('abort', () => running.cancel());
  const finished = await running;
  const tasks = finished.data.resultData.runData[NODE];
  // As n8n saves it: with what can stand in its database.
  if (run.staticData) Object.assign(run.staticData, JSON.parse(JSON.stringify(workflow.staticData)));
  const outputs = (tasks?.at(-1)?.data?.main ?? []).map((items) => items ?? []);
  const hints = (tasks?.at(-1)?.hints ?? []).map(({ message }) => message);
  return { outputs, hints, error: finished.data.resultData.error, run: finished };
}
