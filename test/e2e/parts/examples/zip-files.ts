import assert from 'node:assert/strict';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importExample, runByHand, type Trial } from './desk';

/** Holds two files, one of them in a folder. */
const ZIP = join(__dirname, '../../../fixtures/receipts.zip');

/** `zip-files.json`. */
export const zipFiles: Trial = async (desk, check) => {
  await check('zip-files: every file of a zip file is filed, and so are the files beside it', async () => {
    const folder = join(desk.folder, 'zip-files');
    await mkdir(folder, { recursive: true });
    await copyFile(ZIP, join(folder, 'October.ZIP'));
    await writeFile(join(folder, 'damaged.zip'), 'this is no zip file');
    await writeFile(join(folder, 'beside.txt'), 'a file by itself');
    const id = await importExample({ ...desk, folder }, 'zip-files.json', { company: 7 });
    const execution = await runByHand(desk, id);
    assert.equal(execution.status, 'success', execution.error);
    const filed = execution.items('Filed').map(({ json }) => json);
    assert.deepEqual(filed.map(({ file }) => file).sort(), [
      'beside.txt',
      'kviitung bensiin.txt',
      'õunad.csv',
    ]);
    const refused = execution.items('Not filed').map(({ json }) => json);
    assert.deepEqual(
      refused.map(({ file }) => file),
      ['damaged.zip'],
    );
    assert.match(String(refused[0]?.['reason']), /zip/i);
    const again = (await runByHand(desk, id)).items('Filed').map(({ json }) => json['skipped']);
    assert.deepEqual(again, [true, true, true]);
  });
};
