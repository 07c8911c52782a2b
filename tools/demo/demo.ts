import { type Agency, askAgency, endpointsLeft } from '../n8n/agency';
import { createCredential, testCredential } from '../n8n/credentials';
import { finishedExecution, runWorkflow } from '../n8n/executions';
import { Halt } from '../n8n/halt';
import type { Session } from '../n8n/session';
import { activate, deactivate, importWorkflow } from '../n8n/workflows';
import { collectArrivals, filesOf } from './arrivals';
import { journeys } from './journeys';
import { DOCUMENTS, type Say, type Stage, type Undo } from './stage';
import type { Journey } from './table';
import { fillIn, READ, readExamples, UPLOAD } from './workflows';

const UPLOAD_SECONDS = 180;
const EVENT_SECONDS = 90;

/** The ids of the workflows that the demo runs, in its n8n. */
export interface Imported {
  upload: string;
  read: string;
}

/** Saves the credential, tests it, and imports every workflow of `examples/` with it and a company filled in. */
export async function importExamples({ agency, session }: Stage, say: Say): Promise<Imported> {
  const credential = await createCredential(session, {
    name: 'Accounting Agency account',
    type: 'accountingAgencyApi',
    data: { address: agency.url, token: agency.keys.full },
  });
  const test = await testCredential(session, credential);
  if (test.status !== 'OK') throw new Halt(`n8n's test of the credential says: ${test.message}`);
  say('The credential is saved, and its test succeeded.');
  const choices = { credential, company: await anyCompany(agency), folder: DOCUMENTS };
  const ids = new Map<string, string>();
  for (const [file, workflow] of await readExamples()) {
    ids.set(file, (await importWorkflow(session, fillIn(workflow, choices))).id);
  }
  say(`Imported ${ids.size} example workflows.`);
  return { upload: idOf(ids, UPLOAD.file), read: idOf(ids, READ.file) };
}

/** Activates the trigger's workflow; its way back removes the webhook endpoint from the agency. */
export async function listen({ agency, session }: Stage, id: string, say: Say, undo: Undo): Promise<void> {
  undo.push(async () => {
    await deactivate(session, id);
    const left = await endpointsLeft(agency);
    say(
      left === 0 ? 'The webhook endpoint is removed.' : `${left} webhook endpoints are left at the sandbox.`,
    );
  });
  const { active, messages } = await activate(session, id);
  if (!active) throw new Halt(`The trigger was not registered: ${messages.join(' ')}`);
  say('The trigger workflow is active; its webhook endpoint is registered.');
}

/** Runs the upload workflow over the example documents and follows each until the other workflow has fetched it. */
export async function followDocuments(stage: Stage, workflows: Imported, say: Say): Promise<Journey[]> {
  const { session, passages } = stage;
  const files = await filesOf(DOCUMENTS);
  say(`Uploading ${files.length} documents ...`);
  const upload = await uploadAll(session, workflows.upload);
  const filed = upload.items(UPLOAD.upload, 0).length;
  say(`${filed} of ${files.length} documents are filed. Waiting for the agency to read them ...`);
  const arrivals = await collectArrivals(session, workflows.read, passages, filed, {
    seconds: EVENT_SECONDS,
    onArrival: (count) => say(`${count} of ${filed} documents came back by a signed event and were fetched.`),
  });
  return journeys(files, upload, arrivals);
}

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
