import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UPLOAD } from '../../../../tools/demo/workflows';
import { arrivedRequests, askAgency } from '../../../../tools/n8n/agency';
import { deactivate } from '../../../../tools/n8n/workflows';
import { type Desk, DOCUMENTS, executionWith, importExample, publish, runByHand, type Trial } from './desk';
import { mailbox, sendMail } from './mail/mailbox';

const GOOD = ['e-arve-7731.xml', 'invoice-INV-20417.pdf', 'kviitung-bürootarbed.png'];
const USER = 'documents';
const MESSAGE_ID = '<three-invoices@company.example>';

interface Document {
  id: string;
  companyId: string;
  originalFilename: string;
  source: string;
  stage: string;
}

/** The documents of a company that the agency has under one of these names. */
async function filedAs({ stage: { agency } }: Desk, companyId: string, names: string[]): Promise<Document[]> {
  const path = `/documents?companyId=${encodeURIComponent(companyId)}&limit=200`;
  const { data } = await askAgency<{ data: Document[] }>(agency, path);
  return data.filter(({ originalFilename }) => names.includes(originalFilename));
}

async function fromFolder(desk: Desk): Promise<void> {
  await Promise.all(GOOD.map((name) => copyFile(join(DOCUMENTS, name), join(desk.folder, name))));
  await writeFile(join(desk.folder, 'setup.exe'), 'MZ: a program is no document');
  const id = await importExample(desk, UPLOAD.file, { company: 0 });
  const execution = await runByHand(desk, id);
  assert.equal(execution.status, 'success', execution.error);
  const filed = execution.items('Filed').map(({ json }) => json);
  assert.deepEqual(filed.map(({ file }) => file).sort(), [...GOOD].sort());
  const refused = execution.items('Not filed').map(({ json }) => json);
  assert.deepEqual(
    refused.map(({ file }) => file),
    ['setup.exe'],
  );
  assert.match(String(refused[0]?.['reason']), /exe|type/i);
  const documents = await filedAs(desk, desk.companies[0]?.id ?? '', GOOD);
  assert.deepEqual(documents.map(({ id }) => id).sort(), filed.map(({ document }) => document).sort());
  const again = await runByHand(desk, id);
  const known = filed.map(({ file, document }) => [file, document, true]);
  const skipped = again
    .items('Filed')
    .map(({ json: { file, document, skipped } }) => [file, document, skipped]);
  assert.deepEqual(skipped.sort(), known.sort());
  assert.equal((await filedAs(desk, desk.companies[0]?.id ?? '', GOOD)).length, GOOD.length);
}

async function fromMail(desk: Desk): Promise<void> {
  const { agency, session } = desk.stage;
  const id = await importExample(desk, UPLOAD.file, { company: 1, change: await mailbox(desk, USER) });
  await publish(desk, id);
  const before = (await arrivedRequests(agency)).length;
  const files = GOOD.map((filename) => ({ filename, path: join(DOCUMENTS, filename) }));
  // Some programs show each file within the text; a signature has a logo.
  const shown = files.map((file) => ({ ...file, contentDisposition: 'inline' as const }));
  const logo = { filename: 'logo.png', content: Buffer.alloc(5_000) };
  await sendMail(desk, USER, { messageId: MESSAGE_ID, attachments: [...shown, logo] });
  const execution = await executionWith(desk, id, 'Filed', () => true);
  assert.deepEqual(execution.items('Not filed'), []);
  const names = execution.items('Filed').map(({ json }) => json['file']);
  assert.deepEqual(names.sort(), [...GOOD].sort());
  const companyId = desk.companies[1]?.id ?? '';
  assert.equal((await filedAs(desk, companyId, GOOD)).length, GOOD.length);
  const keys = (await arrivedRequests(agency))
    .slice(before)
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/documents'))
    .map(({ headers }) => String(headers['idempotency-key']).split(':')[0]);
  const wanted = GOOD.map((_name, index) =>
    createHash('sha256').update(`${MESSAGE_ID} ${companyId} attachment_${index}`).digest('hex'),
  );
  assert.deepEqual(keys.sort(), wanted.sort());
  await deactivate(session, id);
}

/** `document-pipeline.json`. */
export const documentPipeline: Trial = async (desk, check) => {
  await check(
    'document-pipeline: a folder is filed once, also by a second run; what is refused leaves with its reason',
    () => fromFolder(desk),
  );
  await check(
    'document-pipeline: an email with three attachments gives three documents, each with a key of its own',
    () => fromMail(desk),
  );
};
