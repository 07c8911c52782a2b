import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action/action';
import type { NodeRun } from '../../support/engine';
import { itemsWithFiles, pdf } from '../../support/action/files';
import { retriedFrom } from '../../support/action/retry';
import { useSandbox } from '../../support/sandbox/sandbox';
import { fastTime } from '../../support/time/time';
import { useCompany, uploadTo } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
fastTime(sandbox);
const company = useCompany(sandbox);

/** An item whose third file the agency does not take. */
const files = {
  invoice: { bytes: pdf('1'), name: 'invoice.pdf' },
  receipt: { bytes: pdf('2'), name: 'receipt.pdf' },
  tool: { bytes: Buffer.from('MZ'), name: 'tool.exe', type: 'application/x-msdownload' },
  photo: { bytes: pdf('3'), name: 'photo.pdf' },
};

const upload = async (
  resource: 'document' | 'file',
  changes: Partial<NodeRun> = {},
  more: INodeParameters = {},
) =>
  await runAction(
    sandbox(),
    { ...uploadTo(company(), { binaryPropertyName: '*', ...more }), resource },
    { input: itemsWithFiles({ files }), ...changes },
  );

/** The IDs of the documents that the agency has, in the order in which they were filed. */
async function documentIds(): Promise<string[]> {
  const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/documents' });
  return body.data.map(({ id }) => id).reverse();
}

const WORDS = { document: 'filed', file: 'uploaded' };

describe.each(['document', 'file'] as const)('One of several files of a %s upload', (resource) => {
  test('that is refused is named, with what was made of those before it', async () => {
    const { error } = await upload(resource);
    expect(error?.message).toBe(
      `The agency does not accept files of this type: Programs and scripts are not accepted. This is the file "tool.exe" in the field "tool", number 3 of 4; those before it are ${WORDS[resource]}. [item 0]`,
    );
    const details = Object(error?.context?.data).details;
    const made: Array<{ id: string }> = details[`${resource}s`];
    expect(details).toMatchObject({
      field: 'tool',
      fileName: 'tool.exe',
      [`${resource}s`]: [
        { field: 'invoice', fileName: 'invoice.pdf', id: expect.any(String) },
        { field: 'receipt', fileName: 'receipt.pdf', id: expect.any(String) },
      ],
    });
    for (const { id } of made) {
      expect((await sandbox().call({ path: `/${resource}s/${id}` })).status).toBe(200);
      expect(error?.description).toContain(`(${resource} ID ${id})`);
    }
    expect(error?.description).toContain('"Retry execution" continues from there, without repeating them');
    expect(error?.description).toContain('a new run would repeat them');
    expect(error?.context?.data).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  test('is named on the error output too', async () => {
    const { outputs } = await upload(resource, { onError: 'continueErrorOutput' });
    expect(outputs[0]).toEqual([]);
    const json = outputs[1]?.[0]?.json;
    expect(json?.error).toContain('"tool.exe" in the field "tool", number 3 of 4');
    expect(json?.message).toMatch(new RegExp(`"invoice.pdf" \\(${resource} ID \\w+\\), "receipt.pdf"`));
    const made: unknown[] = Object(json?.details).details[`${resource}s`];
    expect(made).toHaveLength(2);
  });

  test('that comes first is named alone', async () => {
    const { error } = await upload(resource, {}, { binaryPropertyName: 'tool, invoice' });
    expect(error?.message).toMatch(
      /This is the file "tool.exe" in the field "tool", number 1 of 2\. \[item 0\]$/,
    );
    expect(error?.description).not.toContain('Already');
    expect(Object(error?.context?.data).details).toMatchObject({ [`${resource}s`]: [] });
  });

  test('that is alone needs no name', async () => {
    const { error } = await upload(resource, {}, { binaryPropertyName: 'tool' });
    expect(error?.message).toBe(
      'The agency does not accept files of this type: Programs and scripts are not accepted. [item 0]',
    );
  });

  test('is named also when the connection or the storage of the agency does not hold', async () => {
    for (const fault of [
      { fault: 'reset-before' },
      { fault: 'status', status: 503, code: 'STORAGE_UNAVAILABLE' },
    ]) {
      await sandbox().control('faults', [
        { method: 'POST', path: '/files', times: 1, fault: 'delay', delayMs: 0 },
        { method: 'POST', path: '/files', times: 99, ...fault },
      ]);
      const { error } = await upload(resource);
      expect(error?.message).toMatch(
        new RegExp(
          `\\. This is the file "receipt.pdf" in the field "receipt", number 2 of 4; those before it are ${WORDS[resource]}\\. \\[item 0\\]$`,
        ),
      );
      expect(Object(error?.context?.data).details[`${resource}s`]).toHaveLength(1);
    }
  });

  test('is gone on with by a retry of the execution, and what was made before is not made twice', async () => {
    await sandbox().control('faults', [
      { method: 'POST', path: '/files', times: 2, fault: 'delay', delayMs: 0 },
      { method: 'POST', path: '/files', times: 1, fault: 'status', status: 403, code: 'FORBIDDEN' },
    ]);
    const good = { ...files, tool: { bytes: pdf('4'), name: 'tool.pdf' } };
    const input = itemsWithFiles({ files: good });
    const first = await upload(resource, { input });
    const before: Array<{ id: string }> = Object(first.error?.context?.data).details[`${resource}s`];
    const again = { input, resume: retriedFrom(first.run), mode: 'retry', executionId: '2' } as const;
    const made = jsonOf(await upload(resource, again)).map((json) => Object(json).id);
    expect(made.slice(0, 2)).toEqual(before.map(({ id }) => id));
    expect(new Set(made).size).toBe(4);
    if (resource === 'document') expect(await documentIds()).toEqual(made);
  });
});

test('a file that was uploaded but not filed is named with its ID and the documents before it', async () => {
  await sandbox().control('faults', [
    { method: 'POST', path: '/documents', times: 1, fault: 'delay', delayMs: 0 },
    { method: 'POST', path: '/documents', times: 1, fault: 'status', status: 403, code: 'FORBIDDEN' },
  ]);
  const { error } = await upload('document', {}, { binaryPropertyName: 'invoice, receipt' });
  expect(error?.message).toMatch(
    /The file was uploaded \(file ID file_\w+\), but is not a document yet\. This is the file "receipt.pdf" in the field "receipt", number 2 of 2; those before it are filed\. \[item 0\]$/,
  );
  expect(Object(error?.context?.data).details).toMatchObject({
    fileId: expect.stringMatching(/^file_/),
    documents: [{ field: 'invoice', fileName: 'invoice.pdf', id: expect.stringMatching(/^doc_/) }],
  });
});

test.each([
  ['invoice', 'The file is filed.'],
  ['invoice, receipt', 'All 2 files are filed.'],
])(
  'documents of %s are named when the wait for their text recognition does not hold',
  async (field, words) => {
    const waiting = { binaryPropertyName: field, options: { waitForRecognition: true } };
    const { body } = await sandbox().call<{ data: unknown[] }>({
      path: '/events',
      query: { companyId: company() },
    });
    await sandbox().control('faults', [
      // The feed is walked to its end first.
      { method: 'GET', path: '/events', times: body.data.length === 0 ? 1 : 2, fault: 'delay', delayMs: 0 },
      { method: 'GET', path: '/events', times: 1, fault: 'status', status: 403, code: 'FORBIDDEN' },
    ]);
    const { error } = await upload('document', {}, waiting);
    expect(error?.message).toContain(`A planned fault of the sandbox. ${words} [item 0]`);
    const { documents } = Object(error?.context?.data).details;
    expect(documents.map(({ id }: { id: string }) => id)).toEqual(await documentIds());
  },
);
