import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agency, arrivedRequests } from '../../../tools/n8n/agency';
import { createCredential } from '../../../tools/n8n/credentials';
import {
  type Execution,
  finishedExecution,
  listExecutions,
  retryExecution,
  runWorkflow,
} from '../../../tools/n8n/executions';
import { waitFor } from '../../../tools/n8n/processes/process';
import type { Session } from '../../../tools/n8n/session';
import type { Stage } from '../../../tools/n8n/stage';
import { saveChain, START } from '../../bench/host/chain';
import { onStage } from '../../bench/host/stage';
import { uploadByOurs } from '../../bench/contenders/parameters';
import { nameOf, uploadedDocuments } from '../../nodes/items/hardship/uploads';
import { mixedFaults } from '../../support/proxies/faults';
import { someCompany } from '../../support/action/uploads';
import { testSandbox, type TestSandbox } from '../../support/sandbox/sandbox';

const UPLOAD = 'Upload';
const WIDTH = 20;
const PATIENCE = { seconds: 900 };

/** What became of uploads whose n8n was killed in the middle. */
export interface Killed {
  /** The execution that was started again. */
  retried: Execution;
  /** By the name of the file: the ids of its documents. */
  documents: Map<string, string[]>;
  /** How many documents there were at the kill. */
  atKill: number;
}

/** Uploads so many files while one in five requests goes wrong, kills n8n in the middle, and retries the execution. */
export async function uploadThroughKill(count: number): Promise<Killed> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-files-'));
  try {
    for (let index = 0; index < count; index += 1) {
      await writeFile(join(folder, nameOf(index)), `%PDF-1.7\nfile ${index}\n`);
    }
    const options = { filesFolder: folder, sandboxArgs: ['--rate-limit', 'off', '--documents', '50'] };
    return await onStage({ say: () => undefined }, options, async (stage) => await run(stage, folder, count));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function run(stage: Stage, folder: string, count: number): Promise<Killed> {
  const { agency, session } = stage;
  const sandbox = callable(agency);
  const id = await savedWorkflow(stage, folder, await someCompany(sandbox));
  await sandbox.control('faults', mixedFaults(0.2, 1));
  const execution = await runWorkflow(session, id, START);
  const atKill = await waitFor(
    'half of the documents',
    async () => {
      const made = await documentsMade(agency);
      return made >= count / 2 ? made : undefined;
    },
    PATIENCE,
  );
  await stage.restart('kill');
  const retried = await finishedExecution(session, await retry(session, id, execution), PATIENCE);
  await sandbox.control('faults', []);
  return { retried, documents: await uploadedDocuments(sandbox), atKill };
}

/** Starts an execution again. n8n answers only when it has ended, later than a call may take: it is found in the list. */
async function retry(session: Session, workflow: string, execution: string): Promise<string> {
  void Promise.allSettled([retryExecution(session, execution)]);
  const started = async () => {
    const executions = await listExecutions(session, workflow);
    return executions.find(({ mode }) => mode === 'retry')?.id;
  };
  return await waitFor('the retry to begin', started, { seconds: 60 });
}

async function savedWorkflow({ agency, session }: Stage, folder: string, company: string): Promise<string> {
  const credential = await createCredential(session, {
    name: 'Agency',
    type: 'accountingAgencyApi',
    data: { address: agency.url, token: agency.keys.full },
  });
  const read = {
    name: 'Read',
    type: 'n8n-nodes-base.readWriteFile',
    typeVersion: 1,
    parameters: { operation: 'read', fileSelector: join(folder, '*'), options: {} },
  };
  const upload = {
    name: UPLOAD,
    type: 'n8n-nodes-accounting-agency.accountingAgency',
    typeVersion: 1,
    parameters: { ...uploadByOurs(company, WIDTH), output: 'all' },
    credentials: { [credential.type]: { id: credential.id, name: credential.name } },
  };
  // Saved after each node, so that the execution can be tried again after a kill.
  const { id } = await saveChain(session, [read], [upload], { saveExecutionProgress: true });
  return id;
}

const callable = (agency: Agency): TestSandbox =>
  testSandbox({ ...agency, close: async () => await agency.process.stop() });

async function documentsMade(agency: Agency): Promise<number> {
  const requests = await arrivedRequests(agency);
  return requests.filter(({ path, status }) => path.endsWith('/documents') && status === 201).length;
}

/** What the upload node gave: the file's name and the document's id of each item. */
export const uploaded = ({ retried }: Killed): [unknown, unknown][] =>
  retried.items(UPLOAD).map(({ json }) => [json.originalFilename, json.id]);
