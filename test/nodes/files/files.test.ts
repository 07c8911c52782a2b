import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { loadEngine } from '../../support/engine';
import { jsonOf, runAction } from '../../support/action/action';
import { itemsWithFiles, sha256 } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

type StoredFile = Schemas['File'];

const upload = (more: INodeParameters = {}): INodeParameters => ({
  resource: 'file',
  operation: 'upload',
  ...more,
});

/** Input items, each with files by the name of their field: name, type and content. */
const withFiles = (...items: Array<Record<string, [name: string, type: string, content: string]>>) =>
  itemsWithFiles(
    ...items.map((item) => ({
      files: Object.fromEntries(
        Object.entries(item).map(([field, [name, type, content]]) => [
          field,
          { bytes: Buffer.from(content), name, type },
        ]),
      ),
    })),
  );

async function uploaded(filename = 'arve.pdf', content = '%PDF-1.4 arve'): Promise<StoredFile> {
  const { body } = await sandbox().call<StoredFile>({
    method: 'POST',
    path: '/files',
    query: { filename },
    body: Buffer.from(content),
    headers: { 'content-type': 'application/pdf' },
  });
  return body;
}

test('uploads one file, with its own name and type, under a key, and outputs the whole record', async () => {
  const input = withFiles({ data: ['Überweisung März 🧾.pdf', 'application/pdf', '%PDF-1.4'] });
  const result = await runAction(sandbox(), upload(), { input });
  const [file] = jsonOf(result);
  expect(file).toEqual({
    id: expect.any(String),
    filename: 'Überweisung März 🧾.pdf',
    mimeType: 'application/pdf',
    sizeBytes: 8,
    sha256: sha256('%PDF-1.4'),
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    documentId: null,
  });
  expect(result.outputs[0]?.[0]?.pairedItem).toEqual({ item: 0 });
  expect(await sandbox().requests()).toEqual([
    expect.objectContaining({
      method: 'POST',
      path: '/api/v1/files',
      query: { filename: 'Überweisung März 🧾.pdf' },
      headers: expect.objectContaining({
        'content-type': 'application/pdf',
        'content-length': '8',
        'idempotency-key': expect.stringMatching(/^[0-9a-f]{64}$/),
      }),
      bodyLength: 8,
      bodySha256: sha256('%PDF-1.4'),
      status: 201,
    }),
  ]);
});

test.each([
  ['several', ' first , second '],
  ['all', '*'],
  ['a list', '={{ ["first", "second"] }}'],
])('gives one item per file for %s files of an item', async (_, binaryPropertyName) => {
  const input = withFiles(
    { first: ['a.txt', 'text/plain', 'same'], second: ['a.txt', 'text/plain', 'same'] },
    { first: ['b.txt', 'text/plain', 'other'], second: ['c.txt', 'text/plain', 'third'] },
  );
  const result = await runAction(sandbox(), upload({ binaryPropertyName }), { input });
  const files = jsonOf(result);
  expect(files).toEqual(
    ['a.txt', 'a.txt', 'b.txt', 'c.txt'].map((filename) => expect.objectContaining({ filename })),
  );
  expect(new Set(files.map((file) => JSON.stringify(file))).size).toBe(4);
  expect(result.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
    [0, 0, 1, 1].map((item) => ({ item })),
  );
});

test('sends the same file again, from memory as well, as the same bytes', async () => {
  await loadEngine('default');
  const input = withFiles({ data: ['a.pdf', 'application/pdf', '%PDF-1.7 memory'] });
  const result = await runAction(sandbox(), upload(), { input });
  expect(jsonOf(result)).toEqual([expect.objectContaining({ sha256: sha256('%PDF-1.7 memory') })]);
  await loadEngine('filesystem');
});

test('gives the file another name, with the extension of its type when there is none', async () => {
  const input = withFiles({ data: ['a.pdf', 'application/pdf', '%PDF'] });
  const named = await runAction(sandbox(), upload({ options: { fileName: ' Invoice 12.2024 ' } }), { input });
  expect(jsonOf(named)).toEqual([expect.objectContaining({ filename: 'Invoice 12.2024.pdf' })]);
});

test('takes a name of 255 characters and refuses a longer one before any request', async () => {
  const input = withFiles({ data: ['a.pdf', 'application/pdf', '%PDF'] });
  const longest = `${'ä'.repeat(251)}.pdf`;
  jsonOf(await runAction(sandbox(), upload({ options: { fileName: longest } }), { input }));
  const { error } = await runAction(sandbox(), upload({ options: { fileName: `x${longest}` } }), { input });
  expect(error?.message).toBe('File Name has 256 characters, but only 255 are allowed. [item 0]');
  expect((await sandbox().requests()).map(({ query }) => query.filename)).toEqual([longest]);
});

test('tells the files of an item apart under a key of the user, and repeats nothing under it', async () => {
  const input = withFiles({ first: ['a.txt', 'text/plain', 'a'], second: ['b.txt', 'text/plain', 'b'] });
  const parameters = upload({ binaryPropertyName: '*', options: { idempotencyKey: ' mail-7 ' } });
  const first = jsonOf(await runAction(sandbox(), parameters, { input }));
  const second = jsonOf(await runAction(sandbox(), parameters, { input, executionId: '2' }));
  expect(second).toEqual(first);
  expect((await sandbox().requests()).map(({ headers }) => headers['idempotency-key'])).toEqual([
    'mail-7',
    'mail-7:2',
    'mail-7',
    'mail-7:2',
  ]);
});

test('names the fields that hold files when the field is another', async () => {
  const input = withFiles({ attachment_0: ['a.pdf', 'application/pdf', '%PDF'] });
  const { error } = await runAction(sandbox(), upload({ binaryPropertyName: 'data' }), { input });
  expect(error?.message).toBe(
    'Input Binary Field is "data", but the item has no binary field of that name. [item 0]',
  );
  expect(error?.description).toContain('attachment_0');
  expect(await sandbox().requests()).toEqual([]);
});

test('reads the record of each item, with stray spaces around the ID', async () => {
  const files = [await uploaded('a.pdf'), await uploaded('b.pdf')];
  const input = files.map(({ id }) => ({ json: { id: ` ${id}\n` } }));
  const parameters = { resource: 'file', operation: 'get', fileId: '={{ $json.id }}' };
  const result = await runAction(sandbox(), parameters, { input });
  expect(jsonOf(result)).toEqual(files);
  expect(
    (await sandbox().requests())
      .slice(-2)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(files.map(({ id }) => `/api/v1/files/${id}`).sort());
});

test('downloads the bytes under the name and type of the record, and outputs the record', async () => {
  const content = '%PDF-1.4 \u0000 bytes';
  const file = await uploaded('Überweisung März 🧾.pdf', content);
  const parameters = { resource: 'file', operation: 'download', fileId: file.id, binaryPropertyName: 'scan' };
  const result = await runAction(sandbox(), parameters);
  expect(jsonOf(result)).toEqual([file]);
  const scan = result.outputs[0]?.[0]?.binary?.scan;
  expect(scan).toMatchObject({ fileName: 'Überweisung März 🧾.pdf', mimeType: 'application/pdf' });
  const { BinaryDataService } = await loadEngine();
  const { Container } = await import('@n8n/di');
  const stored = await Container.get(BinaryDataService).getAsBuffer(scan ?? { data: '', mimeType: '' });
  expect(stored.toString()).toBe(content);
});

test.each(['get', 'download'])(
  '%s says that a file is seen only by the key that uploaded it',
  async (operation) => {
    const { id } = await uploaded();
    const credential = { address: sandbox().url, token: sandbox().keys.other };
    const { error } = await runAction(sandbox(), { resource: 'file', operation, fileId: id }, { credential });
    expect(error?.message).toBe(`File "${id}" not found, or the key has no access to it. [item 0]`);
    expect(error?.context?.data).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  },
);

test('needs a file ID of at most 200 characters', async () => {
  for (const [fileId, message] of [
    ['  ', 'File ID is empty. [item 0]'],
    ['x'.repeat(201), 'File ID has 201 characters, but only 200 are allowed. [item 0]'],
  ]) {
    const { error } = await runAction(sandbox(), { resource: 'file', operation: 'get', fileId });
    expect(error?.message).toBe(message);
  }
  expect(await sandbox().requests()).toEqual([]);
});
