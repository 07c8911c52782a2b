import { randomUUID } from 'node:crypto';
import type { Credential } from '../../../tools/n8n/credentials';
import type { WorkflowFile, WorkflowNode } from '../../../tools/n8n/workflows';
import { PACKAGE } from './installed';

export const TRIGGER = 'When something happens';
export const NEXT = 'Next';
export const CALL = 'When called';
export const BY_HAND = 'Start by hand';
export const READ_FILES = 'Read files';
export const UPLOAD = 'File them';
export const LIST = 'List documents';

/** A workflow of the trigger and a node behind it. */
export function listeningWorkflow(
  credential: Credential,
  parameters: Record<string, unknown> = { events: ['all'] },
): WorkflowFile {
  return chain('Listening', [listener(credential, parameters), node('n8n-nodes-base.noOp', 1, NEXT)]);
}

/** A workflow of the Feed Trigger and a node behind it. */
export function pollingWorkflow(credential: Credential): WorkflowFile {
  const trigger = ours('accountingAgencyFeedTrigger', 1, TRIGGER, credential, {
    pollTimes: { item: [{ mode: 'everyMinute' }] },
    options: {},
  });
  return chain('Polling', [trigger, node('n8n-nodes-base.noOp', 1, NEXT)]);
}

/** A workflow that asks the agency for a company with the ID of each event, so that the agency sees which events ran. */
export function lookingUpWorkflow(
  credential: Credential,
  events: Record<string, unknown> = { events: ['all'] },
): WorkflowFile {
  const lookUp = ours('accountingAgency', 1, NEXT, credential, {
    resource: 'company',
    operation: 'get',
    companyId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
  });
  return chain('Looking up', [listener(credential, events), { ...lookUp, onError: 'continueRegularOutput' }]);
}

/** A workflow that reads files by a pattern when its address is called, and files each as a document of a company. */
export function calledUploadWorkflow(
  credential: Credential,
  companyId: string,
  { path, pattern, options }: { path: string; pattern: string; options: Record<string, unknown> },
): WorkflowFile {
  const call = node('n8n-nodes-base.webhook', 2, CALL, { httpMethod: 'POST', path, options: {} });
  return chain('Uploading when called', [
    { ...call, webhookId: randomUUID() },
    readFiles(pattern),
    upload(credential, companyId, options),
  ]);
}

/** A workflow that asks for a company that does not exist, with an output for what failed. */
export function failingWorkflow(credential: Credential): WorkflowFile {
  const lookUp = ours('accountingAgency', 1, NEXT, credential, {
    resource: 'company',
    operation: 'get',
    companyId: { __rl: true, mode: 'id', value: 'none' },
  });
  return chain('Failing', [
    node('n8n-nodes-base.manualTrigger', 1, BY_HAND),
    { ...lookUp, onError: 'continueErrorOutput' },
  ]);
}

/** A workflow that reads files by a pattern, files each under a company, and lists the company's newest documents. */
export function uploadWorkflow(credential: Credential, companyId: string, pattern: string): WorkflowFile {
  return chain('Uploading', [
    node('n8n-nodes-base.manualTrigger', 1, BY_HAND),
    readFiles(pattern),
    upload(credential, companyId),
    {
      ...ours('accountingAgency', 1, LIST, credential, {
        resource: 'document',
        operation: 'getAll',
        limit: 20,
      }),
      executeOnce: true,
    },
  ]);
}

const listener = (credential: Credential, parameters: Record<string, unknown>): WorkflowNode => ({
  ...ours('accountingAgencyTrigger', 2, TRIGGER, credential, {
    companies: 'all',
    options: {},
    ...parameters,
  }),
  webhookId: randomUUID(),
});

const readFiles = (pattern: string): WorkflowNode =>
  node('n8n-nodes-base.readWriteFile', 1, READ_FILES, { fileSelector: pattern, options: {} });

const upload = (credential: Credential, companyId: string, options = {}): WorkflowNode =>
  ours('accountingAgency', 1, UPLOAD, credential, {
    resource: 'document',
    operation: 'upload',
    companyId: { __rl: true, mode: 'id', value: companyId },
    options,
  });

const ours = (
  type: string,
  version: number,
  name: string,
  { id, name: label, type: kind }: Credential,
  parameters: Record<string, unknown>,
): WorkflowNode => ({
  ...node(`${PACKAGE}.${type}`, version, name, parameters),
  credentials: { [kind]: { id, name: label } },
});

function node(type: string, typeVersion: number, name: string, parameters = {}): WorkflowNode {
  return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters };
}

/** Nodes in a row. */
function chain(name: string, nodes: WorkflowNode[]): WorkflowFile {
  const links = nodes
    .slice(1)
    .map(({ name: next }, index) => [
      nodes[index]?.name ?? '',
      { main: [[{ node: next, type: 'main', index: 0 }]] },
    ]);
  return {
    name,
    nodes: nodes.map((each, index) => ({ ...each, position: [index * 240, 0] })),
    connections: Object.fromEntries(links),
  };
}
