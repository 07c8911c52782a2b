import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Execution } from '../../../../tools/n8n/executions';
import { deactivate } from '../../../../tools/n8n/workflows';
import { executionWith, importExample, publish, runByHand, type Trial } from './desk';
import { mailbox, sendMail } from './mail/mailbox';

/** Holds two files, one of them in a folder. */
const ZIP = join(__dirname, '../../../fixtures/receipts.zip');
const USER = 'zip-files';

/** What became of the files: the names and whether they were skipped, and what was refused why. */
const outcome = (execution: Execution) => ({
  filed: execution
    .items('Filed')
    .map(({ json }) => [json['file'], json['skipped']].join('|'))
    .sort(),
  refused: execution.items('Not filed').map(({ json }) => [json['file'], json['reason']].join('|')),
});

/** `zip-files.json`. */
export const zipFiles: Trial = async (desk, check) => {
  const files = [
    { name: 'October.ZIP', content: await readFile(ZIP) },
    { name: 'damaged.zip', content: Buffer.from('this is no zip file') },
    { name: 'beside.txt', content: Buffer.from('a file by itself') },
  ];
  const filed = ['beside.txt', 'kviitung bensiin.txt', 'õunad.csv'];
  const refused = ['damaged.zip|invalid zip data'];
  const folder = join(desk.folder, 'zip-files');
  await mkdir(folder, { recursive: true });
  const id = await importExample({ ...desk, folder }, 'zip-files.json', {
    company: 9,
    change: await mailbox(desk, USER),
  });
  await check(
    'zip-files: every file of a zip file in an email is filed, and so are the other attachments',
    async () => {
      await publish(desk, id);
      await sendMail(desk, USER, {
        attachments: files.map(({ name, content }) => ({ filename: name, content })),
      });
      const execution = await executionWith(desk, id, 'Filed', () => true);
      assert.deepEqual(outcome(execution), { filed: filed.map((name) => `${name}|false`), refused });
    },
  );
  await deactivate(desk.stage.session, id);
  await check('zip-files: the same files in a folder are known', async () => {
    for (const { name, content } of files) await writeFile(join(folder, name), content);
    const execution = await runByHand(desk, id);
    assert.deepEqual(outcome(execution), { filed: filed.map((name) => `${name}|true`), refused });
  });
};
