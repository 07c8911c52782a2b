import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askAgency } from '../../../../tools/n8n/agency';
import type { Credential } from '../../../../tools/n8n/credentials';
import {
  type ExecutionSummary,
  finishedExecution,
  type Item,
  listExecutions,
} from '../../../../tools/n8n/executions';
import { waitFor } from '../../../../tools/n8n/processes/process';
import type { Undo } from '../../../../tools/n8n/stage';
import { activate, importWorkflow } from '../../../../tools/n8n/workflows';
import type { Cluster } from '../../support/cluster';
import { calledUploadWorkflow, READ_FILES, UPLOAD } from '../../support/workflows';

const COUNT = 24;
const UPLOAD_SECONDS = 180;

/** Files that the workers can read. */
export interface Files {
  folder: string;
  names: string[];
}

/** A workflow that files all files under a company of its own, in an execution for each call. */
export interface Uploads {
  cluster: Cluster;
  files: Files;
  company: string;
  workflow: string;
  /** Calls its address, and gives the execution that this starts. */
  call(): Promise<ExecutionSummary>;
}

/** Makes the files, in a folder that is removed after the part. */
export async function makeFiles(undo: Undo): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'agency-files-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const names = Array.from({ length: COUNT }, (_, index) => `upload-${String(index).padStart(2, '0')}.pdf`);
  await Promise.all(names.map((name) => writeFile(join(folder, name), `%PDF-1.7\n${name}\n`)));
  return { folder, names };
}

/**
 * Saves and activates such a workflow.
 *
 * @param options of the upload, e.g. an idempotency key
 */
export async function openUploads(
  cluster: Cluster,
  credential: Credential,
  files: Files,
  options: Record<string, unknown> = {},
): Promise<Uploads> {
  const { session } = cluster;
  const company = await unusedCompany(cluster);
  const path = `upload-${randomUUID()}`;
  const pattern = join(files.folder, '*.pdf');
  const file = calledUploadWorkflow(credential, company, { path, pattern, options });
  const { id } = await importWorkflow(session, file);
  deepEqual(await activate(session, id), { active: true, messages: [] });
  const call = async () => {
    const before = new Set((await listExecutions(session, id)).map((each) => each.id));
    const answer = await fetch(`${cluster.webhook.url}/webhook/${path}`, { method: 'POST' });
    equal(answer.status, 200, await answer.text());
    const begun = async () => (await listExecutions(session, id)).find((each) => !before.has(each.id));
    return waitFor('the call to start an execution', begun, { seconds: 120 });
  };
  return { cluster, files, company, workflow: id, call };
}

/** A company without documents. */
async function unusedCompany({ agency }: Cluster): Promise<string> {
  const { data: companies } = await askAgency<{ data: { id: string }[] }>(agency, '/companies?limit=20');
  for (const { id } of companies) {
    const { data } = await askAgency<{ data: unknown[] }>(agency, `/documents?companyId=${id}&limit=1`);
    if (data.length === 0) return id;
  }
  throw new Error('Each company of the sandbox has documents.');
}

/** The ids of the documents of each file. */
export async function documentsOf({ cluster, company }: Uploads): Promise<Map<string, string[]>> {
  const { data } = await askAgency<{ data: { id: string; originalFilename: string }[] }>(
    cluster.agency,
    `/documents?companyId=${company}&limit=200`,
  );
  const byName = new Map<string, string[]>();
  for (const { id, originalFilename: name } of data) byName.set(name, [...(byName.get(name) ?? []), id]);
  return byName;
}

/** Throws unless each file is one document. */
export async function expectEachOnce(uploads: Uploads): Promise<void> {
  const counts = [...(await documentsOf(uploads))].map(([name, { length }]) => `${name}: ${length}`);
  deepEqual(
    counts.sort(),
    uploads.files.names.map((name) => `${name}: 1`),
  );
}

/** Runs the workflow undisturbed, and looks at every item. */
export async function uploadsEach(uploads: Uploads): Promise<void> {
  const { session } = uploads.cluster;
  const { id } = await uploads.call();
  const execution = await finishedExecution(session, id, { seconds: UPLOAD_SECONDS });
  equal(execution.status, 'success', execution.error);
  await expectEachOnce(uploads);
  const documents = await documentsOf(uploads);
  const read = execution.items(READ_FILES).map(({ binary }) => binary?.['data']);
  for (const file of read) match(file?.id ?? '', /^database/);
  deepEqual(
    execution.items(UPLOAD).map(({ json, pairedItem }: Item) => [json['id'], pairedItem]),
    read.map((file, index) => [documents.get(file?.fileName ?? '')?.[0], { item: index }]),
  );
}
