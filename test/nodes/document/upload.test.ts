import { runAction, jsonOf } from '../../support/action/action';
import { itemsWithFiles, pdf, sha256 } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { requestsTo, useCompany, trail, uploadTo } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
const company = useCompany(sandbox);

/** Uploads one file per entry, and gives the names that the agency was sent and has stored. */
async function namesOf(...files: Array<{ name?: string; type?: string }>) {
  const items = files.map((file, index) => ({ files: { data: { bytes: pdf(String(index)), ...file } } }));
  const stored = jsonOf(
    await runAction(sandbox(), uploadTo(company(), { options: { concurrency: 1 } }), {
      input: itemsWithFiles(...items),
    }),
  );
  const sent = await requestsTo(sandbox(), 'POST', '/files');
  return { stored, sent: sent.map(({ query }) => query.filename) };
}

describe('One file', () => {
  test('is uploaded with its own type, name and exact length, then filed, and its document comes out', async () => {
    const bytes = pdf('a', 1000);
    const input = itemsWithFiles({ files: { data: { bytes, name: 'arve.pdf' } } });
    const [document] = jsonOf(await runAction(sandbox(), uploadTo(company()), { input }));

    expect(await trail(sandbox())).toEqual([`GET /companies/${company()}`, 'POST /files', 'POST /documents']);
    const [upload] = await requestsTo(sandbox(), 'POST', '/files');
    expect(upload).toMatchObject({
      query: { filename: 'arve.pdf' },
      headers: { 'content-type': 'application/pdf', 'content-length': '1000', accept: 'application/json' },
      bodySha256: sha256(bytes),
      status: 201,
    });
    expect(document).toMatchObject({
      companyId: company(),
      name: 'arve.pdf',
      originalFilename: 'arve.pdf',
      stage: 'inbox',
      file: { sizeBytes: 1000, mimeType: 'application/pdf', sha256: sha256(bytes) },
    });
  });

  test('comes out with ten fields when the output is simplified', async () => {
    const input = itemsWithFiles({ files: { data: { bytes: pdf('a'), name: 'arve.pdf' } } });
    const [document] = jsonOf(
      await runAction(sandbox(), uploadTo(company(), { output: 'simplified' }), { input }),
    );
    expect(document).toEqual({
      id: expect.stringMatching(/^doc_/),
      name: 'arve.pdf',
      companyId: company(),
      stage: 'inbox',
      destination: null,
      source: 'api',
      receivedAt: expect.stringMatching(/^\d{4}-/),
      mimeType: 'application/pdf',
      companyName: expect.stringMatching(/./),
      duplicateOfDocumentId: null,
    });
  });

  test('keeps the parameters of its type', async () => {
    const input = itemsWithFiles({
      files: { data: { bytes: Buffer.from('a;b'), name: 'x.csv', type: 'text/csv; charset=utf-8' } },
    });
    jsonOf(await runAction(sandbox(), uploadTo(company()), { input }));
    const [upload] = await requestsTo(sandbox(), 'POST', '/files');
    expect(upload?.headers['content-type']).toBe('text/csv; charset=utf-8');
  });

  test('leaves no file behind that is in no document', async () => {
    const { stored } = await namesOf({ name: 'a.pdf' }, { name: 'b.pdf' });
    expect(stored).toHaveLength(2);
    expect(await requestsTo(sandbox(), 'POST', '/files')).toHaveLength(2);
    expect(await requestsTo(sandbox(), 'POST', '/documents')).toHaveLength(2);
  });
});

describe('The name of a file', () => {
  test('leaves and is stored code point for code point, composed and decomposed', async () => {
    const names = ['Überweisung März 🧾.pdf'.normalize('NFC'), 'Überweisung März 🧾.pdf'.normalize('NFD')];
    expect(new Set(names).size).toBe(2);
    const { sent, stored } = await namesOf(...names.map((name) => ({ name })));
    expect(sent).toEqual(names);
    expect(stored).toEqual(names.map((name) => expect.objectContaining({ name, originalFilename: name })));
  });

  test('gets the extension of its type only when it has none', async () => {
    const { sent } = await namesOf(
      { name: 'x.pdf' },
      { name: 'X.PDF' },
      { name: 'x.jpeg', type: 'image/jpeg' },
      { name: 'Invoice 12.2024' },
      { name: 'Dr. Tamm' },
      { name: 'e-arve', type: 'application/xml' },
      { name: 'photo', type: 'image/png' },
      { type: 'text/csv' },
      { name: 'leping.asice', type: 'application/octet-stream' },
    );
    expect(sent).toEqual([
      'x.pdf',
      'X.PDF',
      'x.jpeg',
      'Invoice 12.2024.pdf',
      'Dr. Tamm.pdf',
      'e-arve.xml',
      'photo.png',
      'document.csv',
      'leping.asice',
    ]);
  });

  test('can be given for each item', async () => {
    const input = itemsWithFiles(
      { json: { name: ' one.pdf ' }, files: { data: { bytes: pdf('1'), name: 'a.pdf' } } },
      { json: { name: 'two' }, files: { data: { bytes: pdf('2'), name: 'b.pdf' } } },
      { json: { name: '' }, files: { data: { bytes: pdf('3'), name: 'c.pdf' } } },
    );
    const options = { fileName: '={{ $json.name }}' };
    const documents = jsonOf(await runAction(sandbox(), uploadTo(company(), { options }), { input }));
    expect(documents).toEqual(
      ['one.pdf', 'two.pdf', 'c.pdf'].map((name) => expect.objectContaining({ name })),
    );
  });

  test.each([
    [
      'scan',
      'application/octet-stream',
      /"scan" has no extension, and the type application\/octet-stream has no known extension/,
    ],
    [
      `${'x'.repeat(252)}.pdf`,
      'application/pdf',
      /^File name of "data" has 256 characters, but only 255 are allowed/,
    ],
  ])('is refused before anything is sent: %s', async (name, type, message) => {
    const input = itemsWithFiles({ files: { data: { bytes: pdf('1'), name, type } } });
    const { error } = await runAction(sandbox(), uploadTo(company()), { input });
    expect(error?.message).toMatch(message);
    expect(error?.message).toContain('[item 0]');
    expect(await trail(sandbox())).toEqual([]);
  });
});

describe('Several files of an item', () => {
  const files = {
    invoice: { bytes: pdf('1'), name: 'invoice.pdf' },
    receipt: { bytes: pdf('2'), name: 'receipt.pdf' },
    photo: { bytes: Buffer.from('\x89PNG', 'latin1'), name: 'photo.png', type: 'image/png' },
  };

  test.each([
    ['names with commas', 'invoice, photo', ['invoice.pdf', 'photo.png']],
    ['a list of names', '={{ ["photo", "receipt"] }}', ['photo.png', 'receipt.pdf']],
    ['a list as text', '["photo", "receipt"]', ['photo.png', 'receipt.pdf']],
    ['all of them', '*', ['invoice.pdf', 'receipt.pdf', 'photo.png']],
    ['a name twice', 'photo,photo', ['photo.png']],
  ])('%s: each gives a document, paired to the item', async (_, binaryPropertyName, names) => {
    const { outputs, error } = await runAction(sandbox(), uploadTo(company(), { binaryPropertyName }), {
      input: itemsWithFiles({ files }),
    });
    expect(error).toBeUndefined();
    expect(outputs[0]?.map(({ json }) => json.name)).toEqual(names);
    expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(names.map(() => ({ item: 0 })));
  });

  test('with the same name, type and length are two documents', async () => {
    const twins = {
      one: { bytes: pdf('1'), name: 'scan.pdf' },
      two: { bytes: pdf('2'), name: 'scan.pdf' },
    };
    const input = itemsWithFiles({ files: twins }, { files: twins });
    const documents = jsonOf(
      await runAction(sandbox(), uploadTo(company(), { binaryPropertyName: '*' }), { input }),
    );
    expect(new Set(documents.map((document) => JSON.stringify(document))).size).toBe(4);
    const uploads = await requestsTo(sandbox(), 'POST', '/files');
    expect(new Set(uploads.map(({ headers }) => headers['idempotency-key'])).size).toBe(4);
  });

  test('cannot be given one name', async () => {
    const { error } = await runAction(
      sandbox(),
      uploadTo(company(), { binaryPropertyName: '*', options: { fileName: 'x.pdf' } }),
      { input: itemsWithFiles({ files }) },
    );
    expect(error?.message).toBe('File Name is set for several files. [item 0]');
  });
});
