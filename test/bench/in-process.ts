import { join } from 'node:path';
import type {
  IDataObject,
  IExecuteFunctions,
  INode,
  INodeExecutionData,
  INodeParameters,
  INodeType,
  IRun,
  IVersionedNodeType,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import type { AgencyCredential } from '../support/credentials';
import { additionalData, loadEngine } from '../support/engine';
import type { UploadFile } from './contenders/floor';
import { cpuSince, type Turn } from './measuring/measure';

const ROOT = join(__dirname, '../..');
const HTTP_REQUEST_VERSION = 4.5;

/** One node of a measured chain. */
export interface Step {
  type: INodeType | IVersionedNodeType;
  version: number;
  parameters: INodeParameters;
  onError?: INode['onError'];
}

/** What a chain of nodes gave. */
export interface ChainResult {
  items: INodeExecutionData[];
  /** How long it took from the first node's start to the last one's end, and the CPU time of all. */
  turn: Turn;
}

/** Makes the nodes that are compared. */
export interface StepMakers {
  /** As it is shipped. */
  ours: (parameters: INodeParameters) => Step;
  /** The HTTP Request node of the installed n8n. */
  http: (parameters: INodeParameters) => Step;
  /** Its Split Out node, which makes an item of each entry of a field. */
  splitOut: (field: string) => Step;
}

/** Loads the nodes that are compared. */
export async function stepMakers(): Promise<StepMakers> {
  const { AccountingAgency } = await import(
    join(ROOT, 'dist/nodes/AccountingAgency/AccountingAgency.node.js')
  );
  const base = join(ROOT, 'hosts/2.41.1/node_modules/n8n-nodes-base/dist/nodes');
  const { HttpRequest } = await import(join(base, 'HttpRequest/HttpRequest.node.js'));
  const { SplitOut } = await import(join(base, 'Transform/SplitOut/SplitOut.node.js'));
  const ours: INodeType = new AccountingAgency();
  const http: IVersionedNodeType = new HttpRequest();
  const splitOut: INodeType = new SplitOut();
  return {
    ours: (parameters) => ({ type: ours, version: 1, parameters }),
    http: (parameters) => ({ type: http, version: HTTP_REQUEST_VERSION, parameters }),
    splitOut: (fieldToSplitOut) => ({
      type: splitOut,
      version: 1,
      parameters: { fieldToSplitOut, include: 'noOtherFields', options: {} },
    }),
  };
}

/** Makes the input items of a chain, as a node before does. */
export type Source = (this: IExecuteFunctions) => Promise<INodeExecutionData[]>;

/**
 * Runs nodes one after the other in n8n's engine.
 *
 * @param staticData what n8n keeps of the workflow from one execution to the next; the run changes it
 */
export async function runChain(
  steps: Step[],
  credential: AgencyCredential,
  source: Source,
  staticData: IDataObject = {},
): Promise<ChainResult> {
  const { WorkflowExecute } = await loadEngine();
  const names = steps.map((_, index) => `Step ${index}`);
  const workflow = workflowOf(steps, names, source, staticData);
  const execution = new WorkflowExecute(await additionalData(credential), 'manual');
  const before = process.cpuUsage();
  const run = await execution.run({ workflow, startNode: workflow.getNode('Source') ?? undefined });
  const cpu = cpuSince(before);
  Object.assign(staticData, JSON.parse(JSON.stringify(workflow.staticData)));
  return resultOf(run, names, cpu);
}

function workflowOf(steps: Step[], names: string[], source: Source, staticData: IDataObject): Workflow {
  const place = (name: string, type: string, version: number, parameters: INodeParameters): INode => ({
    id: name,
    name,
    type,
    typeVersion: version,
    position: [0, 0],
    parameters,
    credentials: { accountingAgencyApi: { id: 'credential-1', name: 'Agency' } },
  });
  const find = (name: string): INodeType | IVersionedNodeType =>
    steps[names.indexOf(name)]?.type ?? sourceType(source);
  const byVersion = (name: string, version?: number): INodeType => {
    const type = find(name);
    return 'nodeVersions' in type ? type.getNodeType(version) : type;
  };
  return new Workflow({
    id: 'bench',
    name: 'Bench',
    active: false,
    nodes: [
      place('Source', 'source', 1, {}),
      ...steps.map(({ version, parameters, onError }, index) => {
        const name = names[index] ?? '';
        return { ...place(name, name, version, parameters), onError };
      }),
    ],
    connections: Object.fromEntries(
      ['Source', ...names.slice(0, -1)].map((from, index) => [
        from,
        { main: [[{ node: names[index] ?? '', type: 'main', index: 0 }]] },
      ]),
    ),
    nodeTypes: { getByName: find, getByNameAndVersion: byVersion, getKnownTypes: () => ({}) },
    staticData,
    settings: { executionOrder: 'v1' },
  });
}

function sourceType(source: Source): INodeType {
  return {
    description: {
      displayName: 'Source',
      name: 'source',
      group: ['input'],
      version: 1,
      description: 'Gives the input',
      defaults: { name: 'Source' },
      inputs: [],
      outputs: ['main'],
      properties: [],
    },
    async execute() {
      return [await source.call(this)];
    },
  };
}

function resultOf(run: IRun, names: string[], cpu: number): ChainResult {
  const { error, runData } = run.data.resultData;
  if (error) throw error;
  const [first, last] = [names.at(0), names.at(-1)].map((name) => runData[name ?? '']?.at(-1));
  if (!first || !last) throw new Error('Not every node of the chain ran.');
  return {
    items: last.data?.main?.[0] ?? [],
    turn: { value: last.startTime + last.executionTime - first.startTime, cpu },
  };
}

/** Files as items, put into n8n's binary store when they are first asked for. */
export function storedFiles(files: UploadFile[]): Source {
  let items: INodeExecutionData[] | undefined;
  return async function () {
    items ??= await Promise.all(
      files.map(async ({ name, bytes }) => ({
        json: {},
        binary: { data: await this.helpers.prepareBinaryData(bytes, name, 'application/pdf') },
      })),
    );
    return items;
  };
}
