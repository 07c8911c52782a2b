import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UPLOAD } from '../../../../tools/demo/workflows';
import { askAgency } from '../../../../tools/n8n/agency';
import { deactivate } from '../../../../tools/n8n/workflows';
import { type Desk, DOCUMENTS, executionWith, importExample, publish, runByHand, type Trial } from './desk';
import { mailbox, sendMail } from './mail/mailbox';

const GOOD = ['e-arve-7731.xml', 'invoice-INV-20417.pdf', 'kviitung-bürootarbed.png'];
const MAIL_PATH = 'in-the-place-of-a-mailbox';

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
  const id = await importExample(desk, UPLOAD.file, { company: 1, change: mailbox(MAIL_PATH) });
  await publish(desk, id);
  const files = GOOD.map(async (name) => ({ name, content: await readFile(join(DOCUMENTS, name)) }));
  await sendMail(desk, MAIL_PATH, await Promise.all(files));
  const execution = await executionWith(desk, id, 'Filed', () => true);
  assert.deepEqual(execution.items('Not filed'), []);
  const names = execution.items('Filed').map(({ json }) => json['file']);
  assert.deepEqual(names.sort(), [...GOOD].sort());
  await deactivate(desk.stage.session, id);
}

/** `document-pipeline.json`. */
export const documentPipeline: Trial = async (desk, check) => {
  await check(
    'document-pipeline: a folder is filed once, also by a second run; what is refused leaves with its reason',
    () => fromFolder(desk),
  );
  await check('document-pipeline: an item with three attachments gives three documents', () =>
    fromMail(desk),
  );
};
