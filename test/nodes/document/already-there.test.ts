import { createServer } from 'node:http';
import { Container } from '@n8n/di';
import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action/action';
import { companyById, listedCompanies } from '../../support/action/company';
import { loadEngine, type NodeResult, type NodeRun } from '../../support/engine';
import { type ItemWithFiles, itemsWithFiles, pdf, type TestFile } from '../../support/action/files';
import { retriedFrom } from '../../support/action/retry';
import { useSandbox } from '../../support/sandbox/sandbox';
import { fastTime } from '../../support/time/time';
import {
  arrived,
  REFUSED_FILING,
  requestsTo,
  trail,
  uploadTo,
  useCompany,
} from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
fastTime(sandbox);
const company = useCompany(sandbox);

const DAY_SECONDS = 24 * 60 * 60;

type Files = Record<string, TestFile>;

const file = (seed: string): TestFile => ({ bytes: pdf(seed), name: `${seed}.pdf` });
const items = (...seeds: string[]): ItemWithFiles[] => seeds.map((seed) => ({ files: { data: file(seed) } }));

async function run(
  input: ItemWithFiles[],
  parameters: INodeParameters = {},
  changes: Partial<NodeRun> = {},
): Promise<NodeResult> {
  const wish = { ifAlreadyThere: 'skip', binaryPropertyName: '*', ...parameters };
  return await runAction(sandbox(), uploadTo(company(), wish), {
    input: itemsWithFiles(...input),
    ...changes,
  });
}

/** A document of the company that holds the file of this seed. */
const there = async (seed: string, id = company()) =>
  await arrived(sandbox(), id, `mail ${seed}.pdf`, pdf(seed));

/** The name of each document that came out, in brackets if its file was skipped. */
const outcome = (result: NodeResult) =>
  jsonOf(result)
    .map((json) => Object(json))
    .map(({ name, skipped }) => (skipped === true ? `(${name})` : name));

const listings = async () => await requestsTo(sandbox(), 'GET', '/documents');
const uploads = async () =>
  (await requestsTo(sandbox(), 'POST', '/files')).map(({ query }) => query.filename);

const refuseListing = async () =>
  await sandbox().control('faults', [
    { method: 'GET', path: '/documents', times: 1, fault: 'status', status: 403, code: 'FORBIDDEN' },
  ]);

const SECOND_FILING_REFUSED = [
  { method: 'POST', path: '/documents', times: 1, fault: 'delay', delayMs: 0 },
  REFUSED_FILING,
];

/** Whether a file is skipped when the agency lists this. */
async function skipsWhenListed(answer: unknown): Promise<boolean> {
  const server = createServer((request, response) => {
    const isList = request.method === 'GET' && request.url?.startsWith('/api/v1/documents?');
    request.resume();
    response.writeHead(isList ? 200 : 403, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isList ? answer : { error: { code: 'FORBIDDEN', message: 'No' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  const credential = { address: `http://127.0.0.1:${Object(at).port}`, token: sandbox().keys.full };
  const { error } = await run(items('a'), {}, { credential });
  server.close();
  server.closeAllConnections();
  return error === undefined;
}

describe('Upload Again', () => {
  test('is the default, and lists nothing', async () => {
    await there('a');
    const result = await runAction(sandbox(), uploadTo(company()), { input: itemsWithFiles(...items('a')) });
    expect(outcome(result)).toEqual(['a.pdf']);
    expect(result.hints).toEqual([]);
    expect(await listings()).toEqual([]);
  });
});

describe('Skip', () => {
  test('a file that is there sends nothing, and its document comes out marked, paired and counted', async () => {
    const { id } = await there('b');
    const result = await run(items('a', 'b', 'c'));
    expect(outcome(result)).toEqual(['a.pdf', '(mail b.pdf)', 'c.pdf']);
    expect(result.outputs[0]?.[1]).toMatchObject({ json: { id, skipped: true }, pairedItem: { item: 1 } });
    expect(result.outputs[0]?.[0]?.json).not.toHaveProperty('skipped');
    expect(result.hints).toEqual(['Files skipped because they already exist: 1']);
    expect((await uploads()).sort()).toEqual(['a.pdf', 'c.pdf']);
  });

  test.each(['simplified', 'selected'])('is marked in the output "%s" too', async (output) => {
    await there('a');
    const [json] = jsonOf(await run(items('a'), { output, fields: ['id', 'companyName'] }));
    expect(json).toMatchObject({ skipped: true, companyName: expect.stringMatching(/./) });
  });

  test('a second run of the same uploads nothing', async () => {
    expect(outcome(await run(items('a', 'b')))).toEqual(['a.pdf', 'b.pdf']);
    const before = (await trail(sandbox())).length;
    expect(outcome(await run(items('a', 'b')))).toEqual(['(a.pdf)', '(b.pdf)']);
    expect((await trail(sandbox())).slice(before)).toEqual([`GET /companies/${company()}`, 'GET /documents']);
  });

  test('of documents with the same file the one that came first comes out', async () => {
    const { id } = await there('a');
    await there('a');
    expect(jsonOf(await run(items('a')))).toMatchObject([{ id }]);
  });

  test('20 items of a company share one listing, of no more pages than there are', async () => {
    for (let number = 0; number < 201; number += 1) await there(`old ${number}`);
    const seeds = Array.from({ length: 20 }, (_, index) => (index % 2 ? `old ${index}` : `new ${index}`));
    const result = await run(items(...seeds), { options: { concurrency: 5 } });
    expect(outcome(result)).toEqual(
      seeds.map((seed) => (seed.startsWith('old') ? `(mail ${seed}.pdf)` : `${seed}.pdf`)),
    );
    const asked = await listings();
    expect(asked.map(({ query }) => query.limit)).toEqual(['200', '200']);
    expect(asked[1]?.query.cursor).toBeDefined();
    expect(await uploads()).toHaveLength(10);
    expect(result.hints).toEqual(['Files skipped because they already exist: 10']);
  });

  test('each company has a listing of its own, and a file of one is new to the other', async () => {
    const ids = (await listedCompanies(sandbox())).slice(0, 2).map(({ id }) => id);
    await sandbox().control('reset');
    await there('a', ids[0]);
    const input = ['0', '1', '0', '1'].map((which) => ({
      json: { company: ids[Number(which)] },
      files: { data: file('a') },
    }));
    const result = await run(input, { companyId: companyById('={{ $json.company }}') });
    expect(outcome(result)).toEqual(['(mail a.pdf)', 'a.pdf', '(mail a.pdf)', '(a.pdf)']);
    expect((await listings()).map(({ query }) => query.companyId).sort()).toEqual([...ids].sort());
  });

  test('each credential has a listing of its own, of what its key may see', async () => {
    await there('a');
    const { full, other } = sandbox().keys;
    const input = [full, other, full, other].map((key) => ({ json: { key }, files: { data: file('a') } }));
    const credential = { address: sandbox().url, token: '={{ $json.key }}' };
    expect(outcome(await run(input, {}, { credential }))).toEqual(input.map(() => '(mail a.pdf)'));
    expect(await listings()).toHaveLength(2);
  });

  test('looks back as many days as are set, 90 at first', async () => {
    await there('a');
    await sandbox().control('clock', { advanceSeconds: 5 * DAY_SECONDS });
    const from = async () => Date.parse(String((await listings()).at(-1)?.query.receivedFrom));
    expect(outcome(await run(items('a')))).toEqual(['(mail a.pdf)']);
    const ninety = await from();
    // The machine's clock is five days behind the sandbox's.
    expect(Date.now() - ninety).toBeGreaterThanOrEqual(90 * DAY_SECONDS * 1000);
    expect(Date.now() - ninety).toBeLessThan(90 * DAY_SECONDS * 1000 + 60_000);
    await run(items('a'), { lookBackDays: 1 });
    expect((await from()) - ninety).toBeGreaterThanOrEqual(89 * DAY_SECONDS * 1000);
  });

  test('can be chosen by an expression for each item', async () => {
    await there('a');
    const input = ['upload', 'skip', 'fail'].map((wish) => ({ json: { wish }, files: { data: file('a') } }));
    const parameters = { ifAlreadyThere: '={{ $json.wish }}' };
    const result = await run(input, parameters, { onError: 'continueErrorOutput' });
    expect(outcome(result)).toEqual(['a.pdf', '(mail a.pdf)']);
    expect(result.outputs[1]).toMatchObject([{ pairedItem: { item: 2 } }]);
    await run(input.slice(1, 2), { ...parameters, lookBackDays: 7 });
    const [ninety, seven] = (await listings()).map(({ query }) => Date.parse(String(query.receivedFrom)));
    expect(Math.round((Number(seven) - Number(ninety)) / DAY_SECONDS / 1000)).toBe(83);
  });

  test('a document without a hash is not compared with, and a hash is known in every writing', async () => {
    const { id } = await there('a');
    const { body } = await sandbox().call<{ file: { sha256: string } }>({ path: `/documents/${id}` });
    const { sha256 } = body.file;
    const written = [sha256.toUpperCase(), Buffer.from(sha256, 'hex').toString('base64'), undefined, null];
    const skips: boolean[] = [];
    for (const one of written) {
      const answer = { data: [{ ...body, file: one === null ? null : { sha256: one } }], nextCursor: null };
      skips.push(await skipsWhenListed(answer));
    }
    expect(skips).toEqual([true, true, false, false]);
  });

  test('large files are compared too', async () => {
    const bytes = pdf('large', 3 * 1024 * 1024);
    const large = [{ files: { data: { bytes, name: 'large.pdf' } } }];
    expect(outcome(await run(large))).toEqual(['large.pdf']);
    expect(outcome(await run(large))).toEqual(['(large.pdf)']);
    expect(await uploads()).toHaveLength(1);
  });

  test('the key of a write is the same whether files before it were skipped or not', async () => {
    const files = { one: file('a'), two: file('b') };
    const keys = async () =>
      (await requestsTo(sandbox(), 'POST', '/documents')).map(({ headers }) => headers['idempotency-key']);
    await run([{ files }], { ifAlreadyThere: 'upload', options: { idempotencyKey: 'mine' } });
    expect(await keys()).toEqual(['mine:document', 'mine:document:2']);
    await sandbox().control('reset');
    await there('a');
    await run([{ files }], { options: { idempotencyKey: 'mine' } });
    expect(await keys()).toEqual(['mine:document:2']);
  });
});

describe('The same file twice in a run', () => {
  test.each([1, 2, 5, 20])(
    'is filed by the first item and skipped by the others, %i at a time',
    async (width) => {
      const seeds = Array.from({ length: 12 }, (_, index) => `${index % 3}`);
      const result = await run(items(...seeds), { options: { concurrency: width } });
      expect(outcome(result)).toEqual(
        seeds.map((seed, index) => (index < 3 ? `${seed}.pdf` : `(${seed}.pdf)`)),
      );
      expect(new Set(jsonOf(result).map((json) => Object(json).id)).size).toBe(3);
      expect(await uploads()).toHaveLength(3);
      expect(await listings()).toHaveLength(1);
      expect(result.hints).toEqual(['Files skipped because they already exist: 9']);
    },
  );

  test('the first item files it also when its file takes longer to read', async () => {
    const { BinaryDataService } = await loadEngine();
    const store = Container.get(BinaryDataService);
    const getMetadata = store.getMetadata.bind(store);
    let slow = 30;
    jest.spyOn(store, 'getMetadata').mockImplementation(async (id) => {
      await new Promise((resolve) => setTimeout(resolve, (slow = Math.max(0, slow - 10))));
      return await getMetadata(id);
    });
    const two = [
      { files: { data: file('a'), more: file('b') } },
      { files: { data: file('b'), more: file('a') } },
    ];
    expect(outcome(await run(two))).toEqual(['a.pdf', 'b.pdf', '(b.pdf)', '(a.pdf)']);
  });

  test('is filed by the next item when it does not get through in the first', async () => {
    await sandbox().control('faults', [REFUSED_FILING]);
    const result = await run(items('a', 'a', 'a'), {}, { onError: 'continueErrorOutput' });
    expect(outcome(result)).toEqual(['a.pdf', '(a.pdf)']);
    expect(result.outputs[1]).toMatchObject([{ pairedItem: { item: 0 } }]);
  });

  test('is not filed by the next item when the run stops', async () => {
    await sandbox().control('faults', [REFUSED_FILING]);
    const { error } = await run(items('a', 'a', 'a'));
    expect(error?.message).toContain('[item 0]');
    expect(await uploads()).toEqual(['a.pdf']);
  });

  test('is skipped also when the item that has filed it fails afterwards', async () => {
    await sandbox().control('faults', [
      { method: 'POST', path: '/files', times: 1, fault: 'delay', delayMs: 0 },
      { method: 'POST', path: '/files', times: 1, fault: 'status', status: 403, code: 'FORBIDDEN' },
    ]);
    const input: ItemWithFiles[] = [
      { files: { one: file('a'), two: file('b') } },
      { files: { one: file('a') } },
    ];
    const result = await run(input, {}, { onError: 'continueErrorOutput' });
    expect(outcome(result)).toEqual(['(a.pdf)']);
  });

  test('is skipped among the files of one item', async () => {
    const files: Files = { one: file('a'), two: file('b'), three: { ...file('a'), name: 'copy.pdf' } };
    const result = await run([{ files }, { files }]);
    expect(outcome(result)).toEqual(['a.pdf', 'b.pdf', '(a.pdf)', '(a.pdf)', '(b.pdf)', '(a.pdf)']);
    expect(await uploads()).toEqual(['a.pdf', 'b.pdf']);
    expect(result.hints).toEqual(['Files skipped because they already exist: 4']);
  });

  test('is found by items that look back for different times', async () => {
    const input = [1, 2].map((days) => ({ json: { days }, files: { data: file('a') } }));
    expect(outcome(await run(input, { lookBackDays: '={{ $json.days }}' }))).toEqual(['a.pdf', '(a.pdf)']);
  });
});

describe('Fail', () => {
  const failing = { ifAlreadyThere: 'fail' };

  test('names the file and the document, before anything of the item is uploaded', async () => {
    const { id } = await there('b');
    const files = { one: file('a'), two: file('b') };
    const { error } = await run([{ files }], failing);
    expect(error?.message).toBe(
      `The file "b.pdf" in the field "two" already exists: it is the same as the document "mail b.pdf" (${id}). [item 0]`,
    );
    expect(error?.description).toContain('change If File Already Exists');
    expect(Object(error?.context?.data).details).toEqual({ field: 'two', fileName: 'b.pdf', documentId: id });
    expect(await uploads()).toEqual([]);
  });

  test('leaves the other items their work, and fails for what the run itself has filed', async () => {
    const { id } = await there('b');
    const result = await run(items('a', 'b', 'a'), failing, { onError: 'continueErrorOutput' });
    const [filed] = jsonOf(result);
    expect(outcome(result)).toEqual(['a.pdf']);
    expect(result.outputs[1]).toMatchObject([
      { json: { error: expect.stringContaining(id) }, pairedItem: { item: 1 }, binary: { data: {} } },
      { json: { error: expect.stringContaining(Object(filed).id) }, pairedItem: { item: 2 } },
    ]);
    expect(result.hints).toEqual([]);
  });

  test('names the twin among the files of one item', async () => {
    const files = { one: file('a'), two: { ...file('a'), name: 'copy.pdf' } };
    const { error } = await run([{ files }], failing);
    expect(error?.message).toBe(
      'The file "copy.pdf" in the field "two" already exists: it is the same as the file "a.pdf" of this item. [item 0]',
    );
    expect(await uploads()).toEqual([]);
  });

  test('goes on with what an earlier try of the execution has filed', async () => {
    await sandbox().control('faults', SECOND_FILING_REFUSED);
    const parameters = { ...failing, options: { concurrency: 1 } };
    const first = await run(items('a', 'b'), parameters);
    expect(first.error?.message).toContain('[item 1]');
    const again = await run(items('a', 'b'), parameters, {
      resume: retriedFrom(first.run),
      mode: 'retry',
      executionId: '2',
    });
    expect(outcome(again)).toEqual(['a.pdf', 'b.pdf']);
    expect(await uploads()).toEqual(['a.pdf', 'b.pdf']);
  });
});

test('n8n\'s "Retry On Fail" outputs what its first try has filed as it would have', async () => {
  await sandbox().control('faults', SECOND_FILING_REFUSED);
  const result = await run(items('a', 'b', 'a'), { options: { concurrency: 1 } }, { retryOnFail: true });
  expect(outcome(result)).toEqual(['a.pdf', 'b.pdf', '(a.pdf)']);
  expect(await uploads()).toEqual(['a.pdf', 'b.pdf']);
});

describe('A listing that fails', () => {
  test('uploads nothing, and the items that come later ask anew', async () => {
    await there('c');
    await refuseListing();
    const result = await run(
      items('a', 'b', 'c'),
      { options: { concurrency: 1 } },
      { onError: 'continueErrorOutput' },
    );
    expect(result.outputs[1]).toMatchObject([{ pairedItem: { item: 0 } }]);
    expect(outcome(result)).toEqual(['b.pdf', '(mail c.pdf)']);
    expect(await listings()).toHaveLength(2);
    expect(await uploads()).toEqual(['b.pdf']);
  });

  test('is one failure for the items that share it', async () => {
    await refuseListing();
    const seeds = ['a', 'b', 'c', 'd', 'e', 'f'];
    const result = await run(items(...seeds), {}, { onError: 'continueErrorOutput' });
    expect(result.outputs[1]).toHaveLength(5);
    expect(outcome(result)).toEqual(['f.pdf']);
    expect(await listings()).toHaveLength(2);
  });

  test('for want of the scope says so', async () => {
    const key = await sandbox().newKey(['companies:read', 'documents:write']);
    const { error } = await run(items('a'), {}, { credential: { address: sandbox().url, token: key } });
    expect(error?.message).toContain('documents:read');
    expect(await uploads()).toEqual([]);
  });
});

describe('With other options', () => {
  test('text recognition is waited for only where something was uploaded', async () => {
    await there('a');
    const options = { waitForRecognition: true };
    const [skipped, filed] = jsonOf(await run(items('a', 'b'), { options }));
    expect(skipped).not.toHaveProperty('recognition');
    expect(filed).toMatchObject({ name: 'b.pdf', recognition: { status: 'completed' } });
    const before = (await trail(sandbox())).length;
    await run(items('a', 'b'), { options });
    expect((await trail(sandbox())).slice(before)).not.toContain('GET /events');
  });

  test('small images are not compared, and an item with nothing else lists nothing', async () => {
    const logo = { bytes: Buffer.from('logo'), name: 'logo.png', type: 'image/png' };
    const options = { leaveOutImagesUnderKb: 20 };
    const result = await run([{ files: { logo } }], { options });
    expect(result.hints).toEqual(['Small images ignored: 1', 'Items without any other file: 1']);
    expect(await trail(sandbox())).toEqual([]);
    await there('a');
    const both = await run([{ files: { logo, invoice: file('a') } }], { options });
    expect(outcome(both)).toEqual(['(mail a.pdf)']);
    expect(both.hints).toEqual(['Small images ignored: 1', 'Files skipped because they already exist: 1']);
  });

  test('an unknown company is named as ever, before anything is listed', async () => {
    const { error } = await run(items('a'), { companyId: companyById('cmp_none') });
    expect(error?.message).toContain('Company "cmp_none" not found');
    expect(await listings()).toEqual([]);
  });
});

test.each([
  [{ ifAlreadyThere: 'maybe' }, /^If File Already Exists cannot be "maybe"\. \[item 0\]$/],
  [{ ifAlreadyThere: '={{ null }}' }, /^If File Already Exists cannot be empty\. \[item 0\]$/],
  [{ lookBackDays: 0 }, /^Look Back \(Days\) must be a whole number from 1 to 3650, not 0\. \[item 0\]$/],
  [{ lookBackDays: '={{ 1.5 }}' }, /^Look Back \(Days\) must be a whole number/],
])('%j is refused before anything is sent', async (parameters, message) => {
  const { error } = await run(items('a'), parameters);
  expect(error?.message).toMatch(message);
  expect(await trail(sandbox())).toEqual([]);
});
