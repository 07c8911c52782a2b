import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { jsonOf, loggedBody, runAction } from '../../support/action/action';
import { companyById } from '../../support/action/company';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

const parameters = (fileId: string, companyId: string, more: INodeParameters = {}): INodeParameters => ({
  resource: 'document',
  operation: 'createFromFile',
  fileId,
  companyId: companyById(companyId),
  ...more,
});

async function uploaded(filename = 'arve.pdf'): Promise<string> {
  const { body } = await sandbox().call<Schemas['File']>({
    method: 'POST',
    path: '/files',
    query: { filename },
    body: Buffer.from('%PDF-1.4'),
    headers: { 'content-type': 'application/pdf' },
  });
  return body.id;
}

async function companies(): Promise<[string, string]> {
  const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/companies' });
  const [first, second] = body.data;
  if (!first || !second) throw new Error('The seed has two companies.');
  return [first.id, second.id];
}

const creations = async () => (await sandbox().requests()).filter(({ path }) => path === '/api/v1/documents');

test('files a file for a company, under a key, and outputs the most used fields', async () => {
  const [companyId] = await companies();
  const fileId = await uploaded();
  const result = await runAction(sandbox(), parameters(` ${fileId} `, companyId));
  expect(jsonOf(result)).toEqual([
    {
      id: expect.any(String),
      name: 'arve.pdf',
      companyId,
      stage: 'inbox',
      destination: null,
      source: 'api',
      receivedAt: expect.any(String),
      mimeType: 'application/pdf',
      duplicateOfDocumentId: null,
    },
  ]);
  expect(result.outputs[0]?.[0]?.pairedItem).toEqual({ item: 0 });
  expect(await creations()).toEqual([
    expect.objectContaining({
      method: 'POST',
      headers: expect.objectContaining({ 'idempotency-key': expect.stringMatching(/^[0-9a-f]{64}$/) }),
      ...loggedBody({ fileId, companyId }),
      status: 201,
    }),
  ]);
});

test('files it under another name and the key of the user, and outputs the whole record', async () => {
  const [companyId] = await companies();
  const fileId = await uploaded();
  const options = { fileName: ' Arve 7 🧾.pdf ', idempotencyKey: 'mail-7' };
  const [document] = jsonOf(
    await runAction(sandbox(), parameters(fileId, companyId, { output: 'all', options })),
  );
  expect(document).toMatchObject({
    name: 'Arve 7 🧾.pdf',
    originalFilename: 'arve.pdf',
    file: { sizeBytes: 8 },
  });
  expect(await creations()).toEqual([
    expect.objectContaining({
      headers: expect.objectContaining({ 'idempotency-key': 'mail-7' }),
      ...loggedBody({ fileId, companyId, filename: 'Arve 7 🧾.pdf' }),
    }),
  ]);
});

test('takes a name of 255 characters, and refuses what is out of bounds before any request', async () => {
  const [companyId] = await companies();
  const fileId = await uploaded();
  const longest = '🧾'.repeat(255);
  const refused: Array<[INodeParameters, string]> = [
    [
      parameters(fileId, companyId, { options: { fileName: `${longest}x` } }),
      'File Name has 256 characters, but only 255 are allowed.',
    ],
    [parameters('x'.repeat(201), companyId), 'File ID has 201 characters, but only 200 are allowed.'],
    [parameters("={{ '' }}", companyId), 'File ID is empty.'],
    [parameters(fileId, "={{ '' }}"), 'Company is empty.'],
  ];
  for (const [given, message] of refused) {
    const { error } = await runAction(sandbox(), given);
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await creations()).toEqual([]);
  const named = await runAction(sandbox(), parameters(fileId, companyId, { options: { fileName: longest } }));
  expect(jsonOf(named)).toEqual([expect.objectContaining({ name: longest })]);
});

test('takes each value from its own item; a file becomes one document, that of the first item', async () => {
  const [first, second] = await companies();
  const files = [await uploaded('a.pdf'), await uploaded('b.pdf')];
  const input = [
    { json: { file: files[0], company: first } },
    { json: { file: files[1], company: second } },
    { json: { file: files[0], company: second } },
    { json: { file: 'nothing', company: first } },
  ];
  const { outputs } = await runAction(sandbox(), parameters('={{ $json.file }}', '={{ $json.company }}'), {
    input,
    onError: 'continueErrorOutput',
  });
  expect(outputs[0]?.map(({ json, pairedItem }) => [json.name, json.companyId, pairedItem])).toEqual([
    ['a.pdf', first, { item: 0 }],
    ['b.pdf', second, { item: 1 }],
  ]);
  expect(outputs[1]?.map(({ json, pairedItem }) => [json.details, pairedItem])).toEqual([
    [expect.objectContaining({ code: 'CONFLICT', hint: expect.stringContaining('document') }), { item: 2 }],
    [expect.objectContaining({ code: 'NOT_FOUND', status: 404 }), { item: 3 }],
  ]);
});

test('files it once although the connection breaks after it was filed', async () => {
  const [companyId] = await companies();
  const fileId = await uploaded();
  await sandbox().control('faults', [{ method: 'POST', path: '/documents', times: 1, fault: 'reset-after' }]);
  jsonOf(await runAction(sandbox(), parameters(fileId, companyId)));
  const [one, two, ...more] = await creations();
  expect(more).toEqual([]);
  expect(two).toMatchObject({ headers: { 'idempotency-key': one?.headers['idempotency-key'] }, status: 201 });
  const { body } = await sandbox().call<{ data: unknown[] }>({
    path: '/documents',
    query: { companyId, receivedFrom: new Date(Date.now() - 60_000).toISOString() },
  });
  expect(body.data).toHaveLength(1);
});
