import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../support/action';
import { loadEngine, type NodeResult, type NodeRun } from '../support/engine';
import { itemsWithFiles, pdf, sha256 } from '../support/files';
import { retriedFrom } from '../support/retry';
import { useSandbox } from '../support/sandbox';
import { fastTime } from '../support/time';
import { requestsTo, someCompany, trail, uploadTo } from '../support/uploads';

const DAY_IN_SECONDS = 24 * 60 * 60;

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
const time = fastTime(sandbox);
let company = '';

beforeAll(async () => {
  await loadEngine('filesystem');
  company = await someCompany(sandbox());
  await sandbox().control('reset');
});

const bytes = pdf('a', 2_000_000);
const input = itemsWithFiles({ files: { data: { bytes, name: 'x.pdf' } } });

async function refuseFiling(times = 1) {
  const fault = {
    method: 'POST',
    path: '/documents',
    times,
    fault: 'status',
    status: 403,
    code: 'FORBIDDEN',
  };
  await sandbox().control('faults', [fault]);
}

const upload = async (changes: Partial<NodeRun> = {}, parameters: INodeParameters = {}) =>
  await runAction(sandbox(), uploadTo(company, parameters), { input, ...changes });

/** The same execution again, as "Retry execution" runs it. */
const again = async ({ run }: NodeResult, changes: Partial<NodeRun> = {}) =>
  await upload({ resume: retriedFrom(run), mode: 'retry', executionId: '2', ...changes });

const uploads = async () => await requestsTo(sandbox(), 'POST', '/files');
const keys = async (path: string) =>
  (await requestsTo(sandbox(), 'POST', path)).map(({ headers }) => headers['idempotency-key']);

describe('When only the filing does not succeed', () => {
  test('the error names the uploaded file, and what to do with it', async () => {
    await refuseFiling();
    const { error } = await upload();
    const [id] = /file_\w+/.exec(error?.message ?? '') ?? [];
    expect(error?.message).toBe(
      `The agency does not allow this to the key: A planned fault of the sandbox. The file was uploaded (file ID ${id}), but is not a document yet. [item 0]`,
    );
    expect(error?.description).toContain('Create From File');
    expect(error?.context?.data).toMatchObject({ status: 403, code: 'FORBIDDEN', details: { fileId: id } });
    const file = await sandbox().call<{ sha256: string; documentId: string | null }>({
      path: `/files/${id}`,
    });
    expect(file.body).toMatchObject({ sha256: sha256(bytes), documentId: null });
  });

  test('a retried execution goes on from there, without sending the bytes again', async () => {
    await refuseFiling();
    const first = await upload();
    expect(first.error).toBeDefined();
    const [document] = jsonOf(await again(first));
    expect(document).toMatchObject({ name: 'x.pdf', file: { sha256: sha256(bytes) } });
    expect(await uploads()).toHaveLength(1);
  });

  test('so does "Retry On Fail"', async () => {
    await refuseFiling();
    const [document] = jsonOf(await upload({ retryOnFail: true }));
    expect(document).toMatchObject({ file: { sha256: sha256(bytes) } });
    expect(await uploads()).toHaveLength(1);
    expect(await requestsTo(sandbox(), 'POST', '/documents')).toHaveLength(2);
  });

  test('so does a retry to another company, after the mistake was corrected', async () => {
    await refuseFiling();
    const first = await upload();
    const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({
      path: '/companies',
      query: { limit: 2 },
    });
    const other = body.data[1]?.id ?? '';
    const [document] = jsonOf(
      await runAction(sandbox(), uploadTo(other), {
        input,
        resume: retriedFrom(first.run, uploadTo(other)),
        mode: 'retry',
        executionId: '2',
      }),
    );
    expect(document).toMatchObject({ companyId: other });
    expect(await uploads()).toHaveLength(1);
  });

  test('a file that has expired meanwhile is uploaded anew, under another key', async () => {
    await refuseFiling();
    const first = await upload();
    await sandbox().control('clock', { advanceSeconds: DAY_IN_SECONDS + 1 });
    const [document] = jsonOf(await again(first));
    expect(document).toMatchObject({ file: { sha256: sha256(bytes) } });
    expect(await uploads()).toHaveLength(2);
    expect(new Set(await keys('/files')).size).toBe(2);
  });

  test('an unknown company is no reason to send the bytes again', async () => {
    const { key } = await sandbox().control<{ key: string }>('keys', {
      scopes: ['documents:write'],
      companies: 'all',
    });
    const credential = { address: sandbox().url, token: key };
    const parameters = uploadTo('cmp_none');
    const first = await runAction(sandbox(), parameters, { input, credential });
    expect(first.error?.message).toMatch(
      /does not know the company "cmp_none".*The file was uploaded \(file ID file_/,
    );
    const resume = retriedFrom(first.run);
    const second = await runAction(sandbox(), parameters, {
      input,
      credential,
      resume,
      mode: 'retry',
      executionId: '2',
    });
    expect(second.error?.message).toBe(first.error?.message);
    expect(await uploads()).toHaveLength(1);
  });

  test('the files of the other items are not sent again either', async () => {
    const many = itemsWithFiles(
      ...['a', 'b', 'c'].map((name) => ({ files: { data: { bytes: pdf(name), name: `${name}.pdf` } } })),
    );
    const fault = {
      method: 'POST',
      path: '/documents',
      times: 1,
      fault: 'status',
      status: 403,
      code: 'FORBIDDEN',
    };
    await sandbox().control('faults', [fault]);
    const first = await upload({ input: many });
    const documents = jsonOf(await again(first, { input: many }));
    expect(documents).toHaveLength(3);
    expect(await uploads()).toHaveLength(3);
    const listed = await sandbox().call<{ data: unknown[] }>({ path: '/documents', query: { limit: 10 } });
    expect(listed.body.data).toHaveLength(3);
  });
});

describe('When an answer is lost on the way', () => {
  test.each(['/files', '/documents'])('%s is sent again under the same key, and done once', async (path) => {
    await sandbox().control('faults', [{ method: 'POST', path, times: 2, fault: 'reset-after' }]);
    const [document] = jsonOf(await upload());
    expect(document).toMatchObject({ file: { sha256: sha256(bytes) } });
    const sent = await requestsTo(sandbox(), 'POST', path);
    expect(sent).toHaveLength(3);
    expect(
      new Set(sent.map(({ headers, bodySha256 }) => `${headers['idempotency-key']} ${bodySha256}`)).size,
    ).toBe(1);
    const listed = await sandbox().call<{ data: unknown[] }>({ path: '/documents' });
    expect(listed.body.data).toHaveLength(1);
  });
});

describe("The user's own idempotency key", () => {
  const own = { options: { idempotencyKey: '={{ $json.key }}' } };

  test('leaves as it is, once for the file and once for the document', async () => {
    const keyed = itemsWithFiles({
      json: { key: ' <mail-1@example.com> ' },
      files: { data: { bytes, name: 'x.pdf' } },
    });
    jsonOf(await upload({ input: keyed }, own));
    expect(await keys('/files')).toEqual(['<mail-1@example.com>:file']);
    expect(await keys('/documents')).toEqual(['<mail-1@example.com>:document']);
  });

  test('makes different executions do it once', async () => {
    const keyed = itemsWithFiles({ json: { key: 'a' }, files: { data: { bytes, name: 'x.pdf' } } });
    const [first] = jsonOf(await upload({ input: keyed }, own));
    const [second] = jsonOf(await upload({ input: keyed, executionId: '7' }, own));
    expect(second).toEqual(first);
  });

  test.each([
    ['a number', 42, '42:file'],
    ['letters beyond ASCII', 'März 🧾', 'M%C3%A4rz %F0%9F%A7%BE:file'],
    ['half an emoji', '\ud83e', '%EF%BF%BD:file'],
    ['191 characters', 'k'.repeat(191), `${'k'.repeat(191)}:file`],
  ])('may be %s', async (_, key, sent) => {
    const keyed = itemsWithFiles({ json: { key }, files: { data: { bytes, name: 'x.pdf' } } });
    jsonOf(await upload({ input: keyed }, own));
    expect((await keys('/files'))[0]).toBe(sent);
  });

  test('is refused before anything is sent when it is too long', async () => {
    const keyed = itemsWithFiles({
      json: { key: 'k'.repeat(192) },
      files: { data: { bytes, name: 'x.pdf' } },
    });
    const { error } = await upload({ input: keyed }, own);
    expect(error?.message).toBe('Idempotency Key is 201 characters long with what the node adds. [item 0]');
    expect(await uploads()).toEqual([]);
  });

  test('for a different file is told as what it is', async () => {
    const keyed = itemsWithFiles(
      { json: { key: 'a' }, files: { data: { bytes: pdf('1'), name: 'x.pdf' } } },
      { json: { key: 'a' }, files: { data: { bytes: pdf('2'), name: 'y.pdf' } } },
    );
    const { error } = await upload({ input: keyed }, { options: { ...own.options, sideBySide: 1 } });
    expect(error?.message).toBe('The idempotency key was already used for a different request. [item 1]');
  });
});

describe('Waiting for text recognition', () => {
  const waiting = (more: INodeParameters = {}) => ({ options: { waitForRecognition: true, ...more } });

  test('gives what became of it', async () => {
    const [document] = jsonOf(await upload({}, waiting()));
    expect(document).toMatchObject({
      name: 'x.pdf',
      recognition: { status: 'completed', at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    });
  });

  test('also of a file that cannot be read', async () => {
    const empty = itemsWithFiles({ files: { data: { bytes: Buffer.alloc(0), name: 'x.pdf' } } });
    const [document] = jsonOf(await upload({ input: empty }, waiting()));
    expect(document).toMatchObject({ recognition: { status: 'failed' } });
  });

  test('ends at the time limit, with the document as it is', async () => {
    const [document] = jsonOf(await upload({}, waiting({ waitSeconds: 1 })));
    expect(document).toMatchObject({
      name: 'x.pdf',
      recognition: { status: 'pending', at: null, data: null },
    });
  });

  test('of many documents polls the feed of their company together, from its end', async () => {
    const many = itemsWithFiles(
      ...Array.from({ length: 20 }, (_, index) => ({
        files: { data: { bytes: pdf(String(index)), name: `${index}.pdf` } },
      })),
    );
    const documents = jsonOf(await upload({ input: many }, waiting({ sideBySide: 20 })));
    expect(documents).toHaveLength(20);
    for (const document of documents)
      expect(document).toMatchObject({ recognition: { status: 'completed' } });
    const reads = await requestsTo(sandbox(), 'GET', '/events');
    expect(reads.length).toBeLessThan(15);
    for (const { query } of reads) expect(query.companyId).toBe(company);
    const walked = (await trail(sandbox())).indexOf('POST /files');
    expect((await trail(sandbox())).slice(0, walked)).toContain('GET /events');
    const fromTheStart = reads.filter(({ query }) => query.after === undefined);
    expect(fromTheStart).toHaveLength(1);
  });

  test('after a retry finds what was read long ago', async () => {
    const many = itemsWithFiles(
      ...['a', 'b'].map((name) => ({ files: { data: { bytes: pdf(name), name: `${name}.pdf` } } })),
    );
    const fault = {
      method: 'POST',
      path: '/documents',
      times: 1,
      fault: 'status',
      status: 403,
      code: 'FORBIDDEN',
    };
    const parameters = waiting({ sideBySide: 2 });
    await sandbox().control('faults', [fault]);
    const first = await upload({ input: many }, parameters);
    expect(first.error).toBeDefined();
    await sandbox().control('clock', { advanceSeconds: 600 });
    const documents = jsonOf(
      await upload(
        { input: many, resume: retriedFrom(first.run), mode: 'retry', executionId: '2' },
        parameters,
      ),
    );
    for (const document of documents)
      expect(document).toMatchObject({ recognition: { status: 'completed' } });
  });

  test('needs the scope for events before anything is uploaded', async () => {
    const { key } = await sandbox().control<{ key: string }>('keys', {
      scopes: ['companies:read', 'documents:write'],
      companies: 'all',
    });
    const { error } = await upload({ credential: { address: sandbox().url, token: key } }, waiting());
    expect(error?.message).toBe('The key lacks the scope events:read. [item 0]');
    expect(await uploads()).toEqual([]);
  });

  test.each([0, 3601, 1.5, 'soon'])('for %p seconds is refused', async (waitSeconds) => {
    const { error } = await upload({}, waiting({ waitSeconds }));
    expect(error?.message).toBe(
      'Wait for Text Recognition at Most must be a whole number from 1 to 3600. [item 0]',
    );
    expect(time.waits).toEqual([]);
    expect(await uploads()).toEqual([]);
  });
});
