import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Item } from '../../../../tools/n8n/executions';
import { deactivate } from '../../../../tools/n8n/workflows';
import { documentArrives } from '../../support/agency';
import { startMailServer } from '../../support/mail-server';
import { executionWith, importExample, mailCredential, publish, type Trial } from './desk';
import { UNKNOWN } from './mail/mailing';

const REFUSED = 'for-nobody.pdf';

/** Whether an item is about a document. */
const isOf =
  (document: string) =>
  ({ json }: Item) =>
    [json['id'], json['document']].includes(document);

/** `unreadable-documents.json`. */
export const unreadableDocuments: Trial = async (desk, check, undo) => {
  const { agency, session } = desk.stage;
  const mailServer = await startMailServer({ unknown: UNKNOWN });
  undo.push(mailServer.close);
  const id = await importExample(desk, 'unreadable-documents.json', {
    change: {
      'Send the document': {
        parameters: {
          toEmail: `={{ $json.originalFilename === '${REFUSED}' ? '${UNKNOWN}' : 'office@agency.example' }}`,
        },
        credentials: await mailCredential(desk, mailServer.port),
      },
    },
  });
  const company = desk.companies[5] ?? { id: '', name: '' };
  await check('unreadable-documents: a document that could not be read is mailed with its file', async () => {
    await publish(desk, id);
    await documentArrives(agency, company.id, 'readable.txt');
    const document = await documentArrives(agency, company.id, 'photo.png', 'this is no picture');
    await executionWith(desk, id, 'Document', isOf(document));
    const mails = mailServer.mails.map(({ subject, text, files }) => ({ subject, text: text.trim(), files }));
    const received = /^Received: .*$/m.exec(mails[0]?.text ?? '')?.[0];
    const text = [`File: photo.png`, `Company: ${company.name}`, received, `Document: ${document}`].join(
      '\n',
    );
    assert.deepEqual(mails, [{ subject: 'Could not be read: photo.png', text, files: ['photo.png'] }]);
  });
  await check('unreadable-documents: an email that is refused leaves with its reason', async () => {
    const document = await documentArrives(agency, company.id, REFUSED, '');
    const [refused] = (await executionWith(desk, id, 'Not sent', isOf(document))).items('Not sent');
    assert.match(String(refused?.json['reason']), /No such person/);
  });
  await deactivate(session, id);
};

/** `document-archive.json`. */
export const documentArchive: Trial = async (desk, check) => {
  const { agency, session } = desk.stage;
  const folder = join(desk.folder, 'archive');
  const id = await importExample({ ...desk, folder }, 'document-archive.json');
  const company = desk.companies[6] ?? { id: '', name: '' };
  await check('document-archive: what cannot be kept leaves with its reason', async () => {
    await publish(desk, id);
    const document = await documentArrives(agency, company.id, 'arve-20.txt');
    const [refused] = (await executionWith(desk, id, 'Not archived', isOf(document))).items('Not archived');
    assert.match(String(refused?.json['reason']), /file or directory does not exist/);
  });
  await check(
    'document-archive: the file of a recognized document is kept under a name that tells whose it is',
    async () => {
      await mkdir(folder);
      const document = await documentArrives(agency, company.id, 'arve-21.txt');
      await executionWith(desk, id, 'Archive', isOf(document));
      const [name = '', ...others] = await readdir(folder);
      assert.deepEqual(others, []);
      const plain = company.name.replace(/[\\/:*?"<>|]/g, '_');
      assert.match(name, /^\d{4}-\d\d-\d\d - /);
      assert.equal(name.slice(13), `${plain} - arve-21 - ${document}.txt`);
      assert.equal(await readFile(join(folder, name), 'utf8'), 'This is arve-21.txt');
    },
  );
  await deactivate(session, id);
};
