import { Container } from '@n8n/di';
import { runAction, jsonOf } from '../../support/action/action';
import { loadEngine } from '../../support/engine';
import { itemsWithFiles, pdf, sha256 } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { requestsTo, useCompany, trail, uploadTo } from '../../support/action/uploads';

const MEBIBYTE = 1024 * 1024;

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
const company = useCompany(sandbox);

describe('The size of a file', () => {
  test.each([
    ['nothing', 0],
    ['just over 10 MB', 10 * MEBIBYTE + 1],
    ['48 MB', 48 * MEBIBYTE],
  ])('%s arrives whole', async (_, length) => {
    const bytes = length === 0 ? Buffer.alloc(0) : pdf('size', length);
    const input = itemsWithFiles({ files: { data: { bytes, name: 'x.pdf' } } });
    const [document] = jsonOf(await runAction(sandbox(), uploadTo(company()), { input }));
    expect(document).toMatchObject({ file: { sizeBytes: length, sha256: sha256(bytes) } });
    const [upload] = await requestsTo(sandbox(), 'POST', '/files');
    expect(upload).toMatchObject({ bodyLength: length, headers: { 'content-length': String(length) } });
    expect(upload?.headers['transfer-encoding']).toBeUndefined();
  });

  test.each([1, 10 * MEBIBYTE])(
    'a length of %i bytes that a node has made up is not believed',
    async (made) => {
      const bytes = pdf('size', 1000);
      const input = itemsWithFiles({ files: { data: { bytes, name: 'x.pdf', madeUpLength: made } } });
      const [document] = jsonOf(await runAction(sandbox(), uploadTo(company()), { input }));
      expect(document).toMatchObject({ file: { sizeBytes: 1000, sha256: sha256(bytes) } });
    },
  );

  test('one byte over 48 MB is refused before anything is sent', async () => {
    const input = itemsWithFiles({
      files: { data: { bytes: pdf('size', 48 * MEBIBYTE + 1), name: 'x.pdf' } },
    });
    const { error } = await runAction(sandbox(), uploadTo(company()), { input });
    expect(error?.message).toBe(
      'Input Binary Field "data" has a file of 48.1 MB. The agency accepts up to 48 MB. [item 0]',
    );
    expect(await trail(sandbox())).toEqual([]);
  });

  test.each([
    [401, 'INVALID_API_KEY', 'does not accept the API key'],
    [413, 'PAYLOAD_TOO_LARGE', 'larger than the 48 MB'],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 'does not accept files of this type'],
  ])(
    'a refusal (%i) that comes before the whole file was sent is told as what it is',
    async (status, code, words) => {
      await sandbox().control('faults', [
        { method: 'POST', path: '/files', times: 1, fault: 'status', status, code },
      ]);
      const input = itemsWithFiles({ files: { data: { bytes: pdf('size', 48 * MEBIBYTE), name: 'x.pdf' } } });
      const { error } = await runAction(sandbox(), uploadTo(company()), { input });
      expect(error?.message).toContain(words);
      expect(await requestsTo(sandbox(), 'POST', '/files')).toHaveLength(1);
    },
  );
});

describe('The bytes of files are held in memory', () => {
  /** What is read from n8n's store at once and as a stream, with how many files had arrived by then. */
  async function watchedStore() {
    const { BinaryDataService } = await loadEngine();
    const store = Container.get(BinaryDataService);
    const reads: string[] = [];
    const note = async (how: string) =>
      reads.push(`${how} after ${(await requestsTo(sandbox(), 'POST', '/files')).length}`);
    const { getAsBuffer, getAsStream } = store;
    jest.spyOn(store, 'getAsBuffer').mockImplementation(async (...file) => {
      await note('whole');
      return await getAsBuffer.apply(store, file);
    });
    jest.spyOn(store, 'getAsStream').mockImplementation(async (...file) => {
      await note('streamed');
      return await getAsStream.apply(store, file);
    });
    return reads;
  }

  afterEach(() => jest.restoreAllMocks());

  test('not at all when they are large', async () => {
    const reads = await watchedStore();
    const input = itemsWithFiles({ files: { data: { bytes: pdf('a', 10 * MEBIBYTE), name: 'a.pdf' } } });
    jsonOf(await runAction(sandbox(), uploadTo(company()), { input }));
    expect(reads).toEqual(['streamed after 0']);
  });

  test('one after the other when an item has several small ones', async () => {
    const reads = await watchedStore();
    const files = ['a', 'b', 'c'].map((name) => [name, { bytes: pdf(name, 1000), name: `${name}.pdf` }]);
    const input = itemsWithFiles({ files: Object.fromEntries(files) });
    jsonOf(await runAction(sandbox(), uploadTo(company(), { binaryPropertyName: '*' }), { input }));
    expect(reads).toEqual(['whole after 0', 'whole after 1', 'whole after 2']);
  });
});

describe('An empty field', () => {
  const empty = (files: Parameters<typeof itemsWithFiles>[0]['files'], binaryPropertyName = '') =>
    runAction(sandbox(), uploadTo(company(), { binaryPropertyName }), {
      input: itemsWithFiles({ json: { field: '' }, files }),
    });
  const attachment = { bytes: pdf('1'), name: 'x.pdf' };
  const second = { bytes: pdf('2'), name: 'y.pdf' };

  test('takes the only file of the item, whatever the name of its field', async () => {
    expect(jsonOf(await empty({ attachment_0: attachment }))).toMatchObject([{ originalFilename: 'x.pdf' }]);
  });

  test('does not choose between several files', async () => {
    const { error } = await empty({ attachment_0: attachment, attachment_1: second });
    expect(error?.message).toBe(
      'Input Binary Field is empty, but the item has 2 files: attachment_0, attachment_1. [item 0]',
    );
    expect(error?.description).toBe('Enter one name, several names separated by commas, or * for all files.');
    expect(await trail(sandbox())).toEqual([]);
  });

  test('is not what an expression means that returns nothing', async () => {
    const { error } = await empty({ attachment_0: attachment }, '={{ $json.field }}');
    expect(error?.message).toBe(
      'Input Binary Field is an expression that returns nothing for this item. [item 0]',
    );
    expect(await trail(sandbox())).toEqual([]);
  });
});

describe('A field without a file', () => {
  test.each([
    [
      'another name',
      'other',
      'Input Binary Field is "other", but the item has no binary field of that name. [item 1]',
    ],
    [
      'a name of every object',
      'toString',
      'Input Binary Field is "toString", but the item has no binary field of that name. [item 1]',
    ],
  ])('%s: the message names field and item, and the files that there are', async (_, name, message) => {
    const input = itemsWithFiles(
      { json: { field: 'data' }, files: { data: { bytes: pdf('1'), name: 'x.pdf' } } },
      { json: { field: name }, files: { data: { bytes: pdf('2'), name: 'y.pdf' } } },
    );
    const parameters = uploadTo(company(), { binaryPropertyName: '={{ $json.field }}' });
    const { error } = await runAction(sandbox(), parameters, { input });
    expect(error?.message).toBe(message);
    expect(error?.description).toContain('data');
    expect(error?.context?.itemIndex).toBe(1);
  });

  test.each([
    ['data', 'Input Binary Field is "data", but the item has no files. [item 0]'],
    ['*', 'Input Binary Field is "*" for all files, but the item has no files. [item 0]'],
    ['', 'Input Binary Field is empty, but the item has no files. [item 0]'],
  ])('an item without any file, and the field %s', async (binaryPropertyName, message) => {
    const { error } = await runAction(sandbox(), uploadTo(company(), { binaryPropertyName }), {
      input: [{ json: {} }],
    });
    expect(error?.message).toBe(message);
    expect(error?.description).toContain('turn on the option that downloads attachments');
    expect(await trail(sandbox())).toEqual([]);
  });

  test.each([
    ['of n8n 2.x, with its length', { bytes: 64 }],
    ['of n8n 2.x, a large one', { bytes: 10 * MEBIBYTE }],
    ['of n8n 1.x', {}],
  ])('a file that n8n has deleted meanwhile, %s', async (_, length) => {
    const gone = {
      ...length,
      mimeType: 'application/pdf',
      fileName: 'x.pdf',
      data: 'filesystem-v2',
      id: 'filesystem-v2:workflows/workflow-1/executions/1/binary_data/00000000-0000-4000-8000-000000000000',
    };
    const { error } = await runAction(sandbox(), uploadTo(company()), {
      input: [{ json: {}, binary: { data: gone } }],
    });
    expect(error?.message).toBe(
      'Input Binary Field "data" refers to a file that n8n no longer has. [item 0]',
    );
    expect(await requestsTo(sandbox(), 'POST', '/files')).toEqual([]);
  });

  test('a file without a type, as a Code node makes it, is sent with that of its name', async () => {
    const { error } = await runAction(sandbox(), uploadTo(company()), {
      input: [
        {
          json: {},
          binary: JSON.parse(`{"data":{"data":"${pdf('1').toString('base64')}","fileName":"x.pdf"}}`),
        },
      ],
    });
    expect(error).toBeUndefined();
    const [upload] = await requestsTo(sandbox(), 'POST', '/files');
    expect(upload?.headers['content-type']).toBe('application/pdf');
  });
});

describe('A company', () => {
  const input = itemsWithFiles(
    { files: { data: { bytes: pdf('1'), name: 'x.pdf' } } },
    { files: { data: { bytes: pdf('2'), name: 'y.pdf' } } },
  );

  test('that the agency does not know: nothing is uploaded', async () => {
    const { error } = await runAction(sandbox(), uploadTo('cmp_none'), { input });
    expect(error?.message).toBe('Company "cmp_none" not found, or the key has no access to it. [item 0]');
    expect(error?.description).toMatch(/Nothing was uploaded\.$/);
    expect(error?.context?.data).toMatchObject({ requestId: expect.stringMatching(/^req_/) });
    expect(await trail(sandbox())).toEqual(['GET /companies/cmp_none']);
  });

  test('that the key may not see: nothing is uploaded', async () => {
    const key = sandbox().keys.singleCompany;
    const visible = await sandbox().call({ path: `/companies/${company()}`, key });
    expect(visible.status).toBe(404);
    const { outputs } = await runAction(sandbox(), uploadTo(company()), {
      input,
      credential: { address: sandbox().url, token: key },
      onError: 'continueRegularOutput',
    });
    const words = expect.stringContaining(`Company "${company()}" not found, or the key has no access to it`);
    expect(outputs[0]?.map(({ json }) => json.error)).toEqual([words, words]);
    expect(await requestsTo(sandbox(), 'POST', '/files')).toEqual([]);
  });

  test.each([
    [404, 'NOT_FOUND'],
    [403, 'COMPANY_ACCESS_DENIED'],
  ])('of which the agency says %i %s: nothing is uploaded', async (status, code) => {
    const fault = { method: 'GET', path: '/companies/*', times: 1, fault: 'status', status, code };
    await sandbox().control('faults', [fault]);
    const { error } = await runAction(sandbox(), uploadTo(company()), { input });
    expect(error?.description).toContain('Nothing was uploaded.');
    expect(await requestsTo(sandbox(), 'POST', '/files')).toEqual([]);
  });

  test('that was not chosen', async () => {
    const messageOf = async (value: string) =>
      (await runAction(sandbox(), uploadTo(value), { input })).error?.message;
    expect(await messageOf('={{ null }}')).toBe('Company is empty. [item 0]');
    expect(await messageOf('={{ $json.company }}')).toBe(
      'Company is an expression that returns nothing for this item. [item 0]',
    );
  });

  test('is filed for also by a key that may not read companies', async () => {
    const key = await sandbox().newKey(['documents:write']);
    const credential = { address: sandbox().url, token: key };
    const documents = jsonOf(await runAction(sandbox(), uploadTo(company()), { input, credential }));
    expect(documents).toHaveLength(2);
  });
});
