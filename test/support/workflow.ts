import {
  deepCopy,
  type IDataObject,
  type INode,
  type INodeParameters,
  type INodeType,
  type IWebhookData,
  type IWorkflowExecuteAdditionalData,
  Workflow,
  type WorkflowExecuteMode,
} from 'n8n-workflow';
import { AccountingAgencyTrigger } from '../../nodes/AccountingAgencyTrigger/AccountingAgencyTrigger.node';
import type { AgencyCredential } from './credentials';
import { additionalData } from './engine';

/** A workflow that begins with the trigger, as it is stored in n8n. */
export interface StoredWorkflow {
  id: string;
  credential: AgencyCredential;
  parameters: INodeParameters;
  nodeId: string;
  nodeName: string;
  webhookId: string;
  /** Of the node's own settings. */
  alwaysOutputData?: boolean;
  onError?: INode['onError'];
  /** n8n's own address. */
  host: string;
  /** The column of the database: JSON text. */
  staticData: string;
}

/** What n8n makes of a stored workflow for one of its contexts. */
export interface Stage {
  workflow: Workflow;
  node: INode;
  data: IWebhookData;
}

/** The trigger node. */
export const triggerType = new AccountingAgencyTrigger();

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

/**
 * n8n's own workflow object, made anew from what is stored, with a node after the trigger.
 *
 * @param ran where that node notes what it is given
 */
export async function stageOf(stored: StoredWorkflow, ran: Ran, isTest = false): Promise<Stage> {
  const node: INode = {
    id: stored.nodeId,
    name: stored.nodeName,
    type: 'trigger',
    typeVersion: 2,
    position: [0, 0],
    parameters: deepCopy(stored.parameters),
    webhookId: stored.webhookId,
    alwaysOutputData: stored.alwaysOutputData,
    onError: stored.onError,
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
  const types: Record<string, INodeType> = { trigger: triggerType, next: recorder(ran) };
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
  const [webhookDescription] = triggerType.description.webhooks ?? [];
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

/** The additional data of an n8n that has the workflow's address. */
export async function surroundings(
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

/** As n8n does it: nothing is written when nothing has changed. */
export function save(stored: StoredWorkflow, { staticData }: Workflow): void {
  if (staticData.__dataChanged === true) stored.staticData = JSON.stringify(staticData);
}
