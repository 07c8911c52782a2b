import assert from 'node:assert/strict';
import { join } from 'node:path';
import { askAgency } from '../../../../tools/n8n/agency';
import { type Credential, createCredential } from '../../../../tools/n8n/credentials';
import {
  type Execution,
  finishedExecution,
  type Item,
  listExecutions,
  readExecution,
  runWorkflow,
} from '../../../../tools/n8n/executions';
import { Halt } from '../../../../tools/n8n/processes/halt';
import { LOOPBACK, waitFor } from '../../../../tools/n8n/processes/process';
import type { Stage } from '../../../../tools/n8n/stage';
import { activate, importWorkflow, type WorkflowNode } from '../../../../tools/n8n/workflows';
import { fillIn, readExamples } from '../../../../tools/demo/workflows';
import type { Context } from '../../part';
import type { ImapServer } from '../../support/imap-server';

/** The documents that come with the examples. */
export const DOCUMENTS = join(__dirname, '../../../../examples/documents');

/** Where a person sits who tries the examples: an n8n with the package and the credential. */
export interface Desk {
  stage: Stage;
  credential: Credential;
  /** Different companies, so that one example does not see what another did. */
  companies: { id: string; name: string; vatCode: string | null }[];
  /** The folder that the example of the pipeline reads. */
  folder: string;
  /** Where the examples that read mail have their mailboxes. */
  imap: ImapServer;
}

/** Tries one example. `undo` is taken back after all of them. */
export type Trial = (desk: Desk, check: Context['check'], undo: Context['undo']) => Promise<void>;

/** Sits down at a stage: saves the credential and looks up companies. */
export async function sitDown(stage: Stage, folder: string, imap: ImapServer): Promise<Desk> {
  const { agency, session } = stage;
  const credential = await createCredential(session, {
    name: 'Accounting Agency account',
    type: 'accountingAgencyApi',
    data: { address: agency.url, token: agency.keys.full },
  });
  const { data: companies } = await askAgency<{ data: Desk['companies'] }>(agency, '/companies?limit=10');
  return { stage, credential, companies, folder, imap };
}

/** The credential of a mail server on this machine, as a node wants it. */
export async function mailCredential(
  { stage: { session } }: Desk,
  port: number,
): Promise<WorkflowNode['credentials']> {
  const { id, name, type } = await createCredential(session, {
    name: 'SMTP account',
    type: 'smtp',
    data: { host: LOOPBACK, port, secure: false, disableStartTls: true },
  });
  return { [type]: { id, name } };
}

/**
 * Imports an example as a person does: selects the credential and a company, and does to the nodes what
 * `change` says, by their names. Gives the workflow's id.
 */
export async function importExample(
  { stage, credential, companies, folder }: Desk,
  file: string,
  { company = 0, change = {} }: { company?: number; change?: Record<string, Partial<WorkflowNode>> } = {},
): Promise<string> {
  const example = (await readExamples()).get(file);
  const chosen = companies[company];
  if (!example || !chosen) throw new Halt(`examples/${file} or a company for it is missing.`);
  const filled = fillIn(example, { credential, company: chosen, folder });
  for (const name of Object.keys(change)) {
    if (!filled.nodes.some((node) => node.name === name))
      throw new Halt(`examples/${file} has no node "${name}".`);
  }
  const nodes = filled.nodes.map((node) => changed(node, change[node.name]));
  return (await importWorkflow(stage.session, { ...filled, nodes })).id;
}

const changed = (node: WorkflowNode, change: Partial<WorkflowNode> | undefined): WorkflowNode => ({
  ...node,
  ...change,
  parameters: { ...node.parameters, ...change?.parameters },
});

/** Runs an example by hand to its end. */
export async function runByHand({ stage: { session } }: Desk, workflow: string): Promise<Execution> {
  const id = await runWorkflow(session, workflow, 'Start by hand');
  return finishedExecution(session, id, { seconds: 300 });
}

/** Publishes an example. */
export async function publish({ stage: { session } }: Desk, workflow: string): Promise<void> {
  const { active, messages } = await activate(session, workflow);
  assert.ok(active, messages.join(' '));
}

/** Waits until an execution of a published example has run a node with an item that is wanted; gives all that it ran with. */
export const executionWith = async (
  { stage: { session } }: Desk,
  workflow: string,
  node: string,
  isWanted: (item: Item) => boolean,
): Promise<Execution> =>
  waitFor(
    `"${node}" to run`,
    async () => {
      for (const { id } of await listExecutions(session, workflow)) {
        const execution = await readExecution(session, id);
        if (execution?.items(node).some(isWanted)) return execution;
      }
      return undefined;
    },
    { seconds: 180 },
  );
