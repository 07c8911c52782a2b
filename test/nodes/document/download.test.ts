import { Container } from '@n8n/di';
import type { INodeParameters } from 'n8n-workflow';
import { runAction } from '../../support/action/action';
import { loadEngine, type NodeRun } from '../../support/engine';
import { pdf, sha256 } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { useServer } from '../../support/proxies/server';
import { arrived, requestsTo, someCompany } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
let engine: Awaited<ReturnType<typeof loadEngine>>;
let company = '';

beforeAll(async () => {
  engine = await loadEngine('filesystem');
  company = await someCompany(sandbox());
});

const download = async (parameters: INodeParameters, changes: Partial<NodeRun> = {}) =>
  await runAction(
    sandbox(),
    {
      resource: 'document',
      operation: 'download',
      binaryPropertyName: 'data',
      output: 'all',
      ...parameters,
    },
    changes,
  );

describe('Document: Download', () => {
  const stored = async (id: string | undefined) => {
    return await Container.get(engine.BinaryDataService).getAsBuffer({ id, data: '', mimeType: '' });
  };

  test.each([
    ['Überweisung März 🧾.pdf', 'application/pdf', 3_000_000],
    ['e-arve.xml', 'application/xml', 10],
    ['nothing.pdf', 'application/pdf', 0],
  ])('gives %s with the name and the type of the record, byte for byte', async (name, mimeType, length) => {
    const bytes = length === 0 ? Buffer.alloc(0) : pdf('d', length);
    const { id } = await arrived(sandbox(), company, name, bytes);
    const { outputs, error } = await download({
      documentId: id,
      binaryPropertyName: 'file',
    });
    expect(error).toBeUndefined();
    const [item] = outputs[0] ?? [];
    expect(item?.json).toMatchObject({ id, originalFilename: name });
    expect(item?.binary?.file).toMatchObject({ fileName: name, mimeType });
    const kept = await stored(item?.binary?.file?.id);
    expect([kept.length, sha256(kept)]).toEqual([length, sha256(bytes)]);
    expect(item?.pairedItem).toEqual({ item: 0 });
  });

  test('of many at once keeps them apart', async () => {
    const files = Array.from({ length: 20 }, (_, index) => pdf(`file ${index}`, 100_000 + index));
    const ids = [];
    for (const [index, bytes] of files.entries())
      ids.push((await arrived(sandbox(), company, `${index}.pdf`, bytes)).id);
    const { outputs } = await download(
      { documentId: '={{ $json.id }}', options: { concurrency: 20 } },
      { input: ids.map((id) => ({ json: { id } })) },
    );
    const hashes = [];
    for (const item of outputs[0] ?? []) hashes.push(sha256(await stored(item.binary?.data?.id)));
    expect(hashes).toEqual(files.map(sha256));
  });

  test('is begun anew when the connection breaks', async () => {
    const bytes = pdf('d', 1_000_000);
    const { id } = await arrived(sandbox(), company, 'x.pdf', bytes);
    const path = `/documents/${id}/content`;
    await sandbox().control('faults', [
      { path, times: 1, fault: 'reset-before' },
      { path, times: 1, fault: 'status', status: 503, code: 'STORAGE_UNAVAILABLE' },
    ]);
    const { outputs } = await download({ documentId: id });
    expect(sha256(await stored(outputs[0]?.[0]?.binary?.data?.id))).toBe(sha256(bytes));
    expect(await requestsTo(sandbox(), 'GET', path)).toHaveLength(3);
  });

  describe('of a file that arrives in pieces', () => {
    const bytes = pdf('d', 2_000_000);
    let sizeBytes = bytes.length;
    let breaks = 0;
    const address = useServer((request, response) => {
      if (request.url?.endsWith('/content') !== true) {
        const file = { sizeBytes, mimeType: 'application/pdf', sha256: sha256(bytes) };
        response.end(JSON.stringify({ id: 'doc_1', stage: 'inbox', originalFilename: 'x.pdf', file }));
        return;
      }
      response.writeHead(200, { 'content-length': bytes.length });
      if (breaks === 0) response.end(bytes);
      else response.write(bytes.subarray(0, 1_000_000), () => response.destroy());
      breaks = Math.max(0, breaks - 1);
    });
    const fetched = async () =>
      await download({ documentId: 'doc_1' }, { credential: { address: address(), token: 'k' } });

    test('half a file is no file: it is asked for again', async () => {
      breaks = 2;
      const { outputs } = await fetched();
      expect(sha256(await stored(outputs[0]?.[0]?.binary?.data?.id))).toBe(sha256(bytes));
      expect(breaks).toBe(0);
    });

    test('a file of another length than its record says is told', async () => {
      sizeBytes = bytes.length + 1;
      const { error } = await fetched();
      expect(error?.message).toBe('The downloaded file is smaller than the agency says. [item 0]');
      expect(error?.context?.data).toMatchObject({
        details: { sizeBytes: 2_000_001, downloadedBytes: 2_000_000 },
      });
    });
  });

  test('tells a refusal of the bytes in the words of the API', async () => {
    const { id } = await arrived(sandbox(), company, 'x.pdf', pdf('d'));
    const path = `/documents/${id}/content`;
    await sandbox().control('faults', [{ path, times: 1, fault: 'status', status: 403, code: 'FORBIDDEN' }]);
    const { error } = await download({ documentId: id });
    expect(error?.message).toMatch(/^The agency does not allow this with the key/);
    expect(error?.context?.data).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });

  test('needs a name for the output field', async () => {
    const { id } = await arrived(sandbox(), company, 'x.pdf', pdf('d'));
    const { error } = await download({
      documentId: id,
      binaryPropertyName: '={{ "" }}',
    });
    expect(error?.message).toBe(
      'Put Output File in Field is an expression that returns nothing for this item. [item 0]',
    );
    expect(await requestsTo(sandbox(), 'GET', `/documents/${id}/content`)).toEqual([]);
  });
});
