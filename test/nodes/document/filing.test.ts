import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action/action';
import type { NodeResult, NodeRun } from '../../support/engine';
import { companyById } from '../../support/action/company';
import { itemsWithFiles, pdf, sha256 } from '../../support/action/files';
import { retriedFrom } from '../../support/action/retry';
import { useSandbox } from '../../support/sandbox/sandbox';
import { fastTime } from '../../support/time/time';
import { REFUSED_FILING, requestsTo, useCompany, uploadTo } from '../../support/action/uploads';

const DAY_IN_SECONDS = 24 * 60 * 60;

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
fastTime(sandbox);
const company = useCompany(sandbox);

const bytes = pdf('a', 2_000_000);
const input = itemsWithFiles({ files: { data: { bytes, name: 'x.pdf' } } });

const refuseFiling = async (times = 1) => await sandbox().control('faults', [{ ...REFUSED_FILING, times }]);

const upload = async (changes: Partial<NodeRun> = {}) =>
  await runAction(sandbox(), uploadTo(company()), { input, ...changes });

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
      `The agency does not allow this with the key: A planned fault of the sandbox. The file was uploaded (file ID ${id}), but is not a document yet. [item 0]`,
    );
    expect(error?.description).toContain('Create From Uploaded File');
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

  test('so does "Retry On Fail" of a node that goes on with the next item: nothing is filed twice', async () => {
    await refuseFiling();
    const many = itemsWithFiles(
      ...['a', 'b', 'c'].map((name) => ({ files: { data: { bytes: pdf(name), name: `${name}.pdf` } } })),
    );
    // n8n runs the node again when the first item holds an error.
    const parameters = uploadTo(company(), { options: { concurrency: 1 } });
    const changes = { input: many, retryOnFail: true, onError: 'continueRegularOutput' } as const;
    const result = await runAction(sandbox(), parameters, changes);
    expect(jsonOf(result).map((document) => Object(document).name)).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
    expect(await uploads()).toHaveLength(3);
    const listed = await sandbox().call<{ data: unknown[] }>({ path: '/documents' });
    expect(listed.body.data).toHaveLength(3);
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

  test('so is one that has expired by what the agency said, when the key may not ask', async () => {
    const key = await sandbox().newKey(['companies:read', 'documents:write']);
    const credential = { address: sandbox().url, token: key };
    await refuseFiling();
    const first = await upload({ credential });
    const real = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => real() + (DAY_IN_SECONDS + 1) * 1000);
    jsonOf(await again(first, { credential }));
    expect(await uploads()).toHaveLength(2);
  });

  test('an unknown company is no reason to send the bytes again', async () => {
    const key = await sandbox().newKey(['documents:write']);
    const credential = { address: sandbox().url, token: key };
    const parameters = uploadTo('cmp_none');
    const first = await runAction(sandbox(), parameters, { input, credential });
    expect(first.error?.message).toMatch(
      /Company "cmp_none" not found.*The file was uploaded \(file ID file_/,
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
    await refuseFiling();
    const first = await upload({ input: many });
    const documents = jsonOf(await again(first, { input: many }));
    expect(documents).toHaveLength(3);
    expect(await uploads()).toHaveLength(3);
    const listed = await sandbox().call<{ data: unknown[] }>({ path: '/documents', query: { limit: 10 } });
    expect(listed.body.data).toHaveLength(3);
  });
});

describe('When some files are documents and the execution is retried', () => {
  const many = itemsWithFiles(
    ...['a', 'b'].map((name) => ({ files: { data: { bytes: pdf(name), name: `${name}.pdf` } } })),
  );
  const parameters = (changes: INodeParameters = {}) =>
    uploadTo(company(), { options: { concurrency: 1 }, ...changes });
  /** Files the first item, and stops at the second. */
  const half = async (): Promise<NodeResult> => {
    await sandbox().control('faults', [
      { method: 'POST', path: '/documents', times: 1, fault: 'delay', delayMs: 1 },
      REFUSED_FILING,
    ]);
    return await runAction(sandbox(), parameters(), { input: many });
  };
  const listed = async () =>
    (await sandbox().call<{ data: Array<{ id: string; name: string }> }>({ path: '/documents' })).body.data;
  const retry = async ({ run }: NodeResult, changes: Partial<NodeRun>, fields: INodeParameters = {}) =>
    await runAction(sandbox(), parameters(fields), {
      input: many,
      resume: retriedFrom(run, parameters(fields)),
      mode: 'retry',
      executionId: '2',
      ...changes,
    });

  test.each(['upload', 'skip'])('with another key, they are the same ones (%s)', async (ifAlreadyThere) => {
    const first = await half();
    const [document, ...others] = await listed();
    expect(others).toEqual([]);
    const token = await sandbox().newKey(['companies:read', 'documents:read', 'documents:write']);
    const credential = { address: sandbox().url, token };
    const [a, b] = jsonOf(await retry(first, { credential }, { ifAlreadyThere, lookBackDays: 90 }));
    expect(a).toMatchObject({ id: document?.id, name: 'a.pdf' });
    expect(b).toMatchObject({ name: 'b.pdf' });
    expect(await listed()).toHaveLength(2);
  });

  test('after a day, they are the same ones', async () => {
    const first = await half();
    const [document] = await listed();
    await sandbox().control('clock', { advanceSeconds: DAY_IN_SECONDS + 1 });
    expect(jsonOf(await retry(first, {}))[0]).toMatchObject({ id: document?.id });
    expect(await listed()).toHaveLength(2);
  });

  test('with a key that may not read them, the error names the document', async () => {
    const first = await half();
    const [document] = await listed();
    const token = await sandbox().newKey(['companies:read', 'documents:write']);
    const { error } = await retry(first, { credential: { address: sandbox().url, token } });
    expect(error?.message).toContain(`and is already the document ${document?.id}.`);
    expect(await listed()).toHaveLength(1);
  });

  test.each(['the same', 'another'])(
    'to another company with %s key, nothing is filed twice',
    async (which) => {
      const first = await half();
      const token =
        which === 'the same'
          ? sandbox().keys.full
          : await sandbox().newKey(['companies:read', 'documents:read', 'documents:write']);
      const credential = { address: sandbox().url, token };
      const [document] = await listed();
      const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/companies' });
      const companyId = companyById(body.data[1]?.id ?? '');
      const { error } = await retry(first, { credential }, { companyId });
      expect(error?.message).toContain(`and is already the document ${document?.id}.`);
      expect(await listed()).toHaveLength(1);
    },
  );
});

describe('When the file may be a document all the same', () => {
  const documentIds = async () => {
    const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/documents' });
    return body.data.map(({ id }) => id);
  };
  const fileIt = async (fileId: unknown, key?: string) => {
    const body = { fileId, companyId: company() };
    const { body: document } = await sandbox().call<{ id: string }>({
      method: 'POST',
      path: '/documents',
      body,
      key,
    });
    return document.id;
  };

  test('since somebody else has filed it meanwhile, the error names the document', async () => {
    await refuseFiling();
    const first = await upload();
    const { fileId } = Object(first.error?.context?.data).details;
    const id = await fileIt(fileId);
    const { error } = await again(first);
    expect(error?.message).toBe(
      `The state of the record does not allow this: This file is already a document. The file was uploaded (file ID ${fileId}), and is already the document ${id}. [item 0]`,
    );
    expect(error?.description).toContain('"Get" of Document');
    expect(error?.description).not.toContain('Create From Uploaded File');
    expect(error?.context?.data).toMatchObject({
      code: 'CONFLICT',
      status: 409,
      details: { fileId, documentId: id },
    });
  });

  test.each([
    { status: 400, code: 'VALIDATION_ERROR' },
    { status: 404, code: 'NOT_FOUND' },
  ])('and the agency says so with another code, the error names the document: %j', async (refusal) => {
    await refuseFiling();
    const first = await upload();
    const id = await fileIt(Object(first.error?.context?.data).details.fileId);
    await sandbox().control('faults', [{ ...REFUSED_FILING, ...refusal }]);
    const { error } = await again(first);
    expect(error?.message).toContain(`and is already the document ${id}.`);
    expect(await documentIds()).toEqual([id]);
  });

  test('and the key may not read files, no more is said than is known', async () => {
    const token = await sandbox().newKey(['documents:write']);
    const credential = { address: sandbox().url, token };
    await refuseFiling();
    const first = await upload({ credential });
    const { fileId } = Object(first.error?.context?.data).details;
    await fileIt(fileId, token);
    const { error } = await again(first, { credential });
    expect(error?.message).toMatch(
      new RegExp(
        `This file is already a document\\. .*\\(file ID ${fileId}\\), and may already be a document\\.`,
      ),
    );
    expect(error?.description).toContain('scope documents:read');
    expect(error?.description).not.toContain('Create From Uploaded File');
    expect(error?.context?.data).toMatchObject({ code: 'CONFLICT', details: { fileId } });
  });

  test('since a key of the user has filed it for another company, the error names the document', async () => {
    const options = { idempotencyKey: 'mail-1' };
    const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/companies' });
    const run = async (to: string, executionId: string) =>
      await runAction(sandbox(), uploadTo(to, { options }), { input, executionId });
    const [document] = jsonOf(await run(company(), '1'));
    const { error } = await run(body.data[1]?.id ?? '', '2');
    expect(error?.message).toMatch(
      new RegExp(`^The idempotency key was already used .*is already the document ${Object(document).id}`),
    );
    expect(await documentIds()).toHaveLength(1);
  });

  test('but the agency refuses it for another reason, it is no document yet', async () => {
    await sandbox().control('faults', [{ ...REFUSED_FILING, status: 409, code: 'CONFLICT' }]);
    const { error } = await upload();
    expect(error?.message).toMatch(/file ID file_\w+\), but is not a document yet\./);
    expect(error?.description).toContain('Create From Uploaded File');
  });

  test.each([
    { fault: 'reset-after' },
    { fault: 'reset-before' },
    { fault: 'status', status: 500, code: 'INTERNAL_ERROR' },
    { fault: 'status', status: 503, code: 'STORAGE_UNAVAILABLE' },
    { fault: 'status', status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' },
  ] as const)('since nothing certain was answered (%j), a retry finds out', async (fault) => {
    await sandbox().control('faults', [{ method: 'POST', path: '/documents', times: 10, ...fault }]);
    const first = await upload();
    expect(first.error?.message).toMatch(
      /The file was uploaded \(file ID file_\w+\), but may not be a document yet\. \[item 0\]$/,
    );
    expect(first.error?.description).toContain('Use "Retry execution" within one day to find out');
    expect(first.error?.description).not.toContain('Create From Uploaded File');
    const [document] = jsonOf(await again(first));
    expect(await documentIds()).toEqual([Object(document).id]);
    expect(await uploads()).toHaveLength(1);
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
