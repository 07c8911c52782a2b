import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agency, askAgency, endpointsLeft } from '../n8n/agency';
import { createCredential, testCredential } from '../n8n/credentials';
import { finishedExecution, runWorkflow } from '../n8n/executions';
import { Halt } from '../n8n/processes/halt';
import { ensureHost } from '../n8n/install';
import { buildAndPack } from '../n8n/package';
import { freePort } from '../n8n/processes/process';
import type { Session } from '../n8n/session';
import { type Say, setStage, type Stage, type Undo } from '../n8n/stage';
import { activate, deactivate, importWorkflow } from '../n8n/workflows';
import { collectArrivals, filesOf } from './arrivals';
import { journeys } from './journeys';
import type { StagePorts } from './options';
import type { Journey } from './table';
import { fillIn, READ, readExamples, UPLOAD } from './workflows';

/** The files that the upload workflow reads. */
const DOCUMENTS = join(__dirname, '../../examples/documents');

const UPLOAD_SECONDS = 300;
const EVENT_SECONDS = 180;

/** The ids of the imported workflows in the demo's n8n. */
export interface Imported {
  /** By file name. */
  all: ReadonlyMap<string, string>;
  upload: string;
  read: string;
  /** The company that the examples work with, by name. */
  company: string;
}

/**
 * Installs what is missing, builds the package, and sets the stage for the demo.
 *
 * @param environment n8n's further settings
 */
export async function setDemoStage(
  ports: StagePorts,
  say: Say,
  undo: Undo,
  environment: Record<string, string> = {},
): Promise<Stage> {
  const editorPort = await portFor(ports.editorPort, 'the n8n editor', '--port');
  const sandboxPort = await portFor(ports.sandboxPort, 'the sandbox', '--sandbox-port');
  const host = await ensureHost('2.41.1', say);
  say('Building the package (half a minute, longer on a busy machine) ...');
  const folder = await mkdtemp(join(tmpdir(), 'agency-package-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const tarball = await buildAndPack(folder);
  return setStage({ host, tarball, editorPort, sandboxPort, filesFolder: DOCUMENTS, environment }, say, undo);
}

/** Saves the credential, tests it, and imports every workflow of `examples/` with it and a company filled in. */
export async function importExamples({ agency, session }: Stage, say: Say): Promise<Imported> {
  const credential = await createCredential(session, {
    name: 'Accounting Agency account',
    type: 'accountingAgencyApi',
    data: { address: agency.url, token: agency.keys.full },
  });
  const test = await testCredential(session, credential);
  if (test.status !== 'OK') throw new Halt(`n8n's credential test says: ${test.message}`);
  say('The credential is saved, and its test passed.');
  const company = await anyCompany(agency);
  const choices = { credential, company, folder: DOCUMENTS };
  const ids = new Map<string, string>();
  for (const [file, workflow] of await readExamples()) {
    ids.set(file, (await importWorkflow(session, fillIn(workflow, choices))).id);
  }
  say(`Imported ${ids.size} example workflows.`);
  return {
    all: ids,
    upload: idOf(ids, UPLOAD.file),
    read: idOf(ids, READ.file),
    company: company.name,
  };
}

/** Activates the trigger's workflow; its way back removes the webhook endpoint from the agency. */
export async function listen({ agency, session }: Stage, id: string, say: Say, undo: Undo): Promise<void> {
  undo.push(async () => {
    await deactivate(session, id);
    const left = await endpointsLeft(agency);
    say(left === 0 ? 'The webhook endpoint is removed.' : `Webhook endpoints left at the sandbox: ${left}.`);
  });
  const { active, messages } = await activate(session, id);
  if (!active) throw new Halt(`The trigger was not registered: ${messages.join(' ')}`);
  say('The workflow with the trigger is published, and its webhook endpoint is registered.');
}

/** Runs the upload workflow over the example documents and follows each until the other workflow has fetched it. */
export async function followDocuments(stage: Stage, workflows: Imported, say: Say): Promise<Journey[]> {
  const { session, passages } = stage;
  const files = await filesOf(DOCUMENTS);
  say(`Uploading ${files.length} documents ...`);
  const upload = await uploadAll(session, workflows.upload);
  const filed = upload.items(UPLOAD.upload, 0).length;
  say(`${filed} of ${files.length} documents are filed. Waiting for text recognition ...`);
  const arrivals = await collectArrivals(session, workflows.read, passages, filed, {
    seconds: EVENT_SECONDS,
    onArrival: (count) => say(`${count} of ${filed} documents came back with an event and were fetched.`),
  });
  return journeys(files, upload, arrivals, workflows.company);
}

const portFor = (port: number, purpose: string, option: string): Promise<number> =>
  port === 0
    ? freePort()
    : freePort({
        port,
        purpose,
        resolution: `Stop the program that uses it, or choose another port: npm run demo -- ${option} ${port + 1}`,
      });

async function uploadAll(session: Session, workflow: string) {
  const id = await runWorkflow(session, workflow, UPLOAD.trigger);
  return finishedExecution(session, id, { seconds: UPLOAD_SECONDS });
}

async function anyCompany(agency: Agency): Promise<{ id: string; name: string }> {
  const { data } = await askAgency<{ data: { id: string; name: string }[] }>(agency, '/companies?limit=1');
  const [company] = data;
  if (!company) throw new Halt('The sandbox has no company. Reset it and start again.');
  return company;
}

function idOf(ids: Map<string, string>, file: string): string {
  const id = ids.get(file);
  if (id === undefined) throw new Halt(`examples/${file} is missing. Restore it from the repository.`);
  return id;
}
