import type { IWorkflowSettings } from 'n8n-workflow';
import { jsonOf, runAction } from './action';
import { loadEngine } from '../engine';
import { itemsWithFiles, pdf, sha256 } from './files';
import { useSandbox } from '../sandbox/sandbox';
import { requestsTo, someCompany, uploadTo } from './uploads';

/**
 * Tests that files go through unchanged, wherever n8n keeps them: on disk or in memory, beside an item's JSON or in it.
 *
 * @param mode n8n's binary mode, one for each test file since n8n-core reads it once
 */
export function testBinaryMode(mode: 'filesystem' | 'default', settings: IWorkflowSettings = {}): void {
  const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
  let company = '';
  beforeAll(async () => {
    await loadEngine(mode);
    company = await someCompany(sandbox());
  });

  const lengths = [0, 1, 1000, 1024 * 1024, 10_485_761];
  const files = lengths.map((length) => (length === 0 ? Buffer.alloc(0) : pdf(`${length}`, length)));

  test.each([1, 5])('files of all sizes arrive byte for byte, %i at a time', async (concurrency) => {
    const input = itemsWithFiles(
      ...files.map((bytes, index) => ({ files: { data: { bytes, name: `${index}.pdf` } } })),
    );
    const documents = jsonOf(
      await runAction(sandbox(), uploadTo(company, { options: { concurrency } }), { input, settings }),
    );
    expect(documents).toEqual(
      files.map((bytes, index) =>
        expect.objectContaining({
          name: `${index}.pdf`,
          file: { sizeBytes: bytes.length, mimeType: 'application/pdf', sha256: sha256(bytes) },
        }),
      ),
    );
  });

  test('all files of an item arrive under their own names, none of them as the name of a store', async () => {
    const input = itemsWithFiles({
      files: {
        'a.b': { bytes: pdf('1'), name: 'Überweisung März 🧾.pdf' },
        c: { bytes: Buffer.from('<x/>'), name: 'c.xml', type: 'text/xml' },
      },
    });
    const documents = jsonOf(
      await runAction(sandbox(), uploadTo(company, { binaryPropertyName: '*' }), { input, settings }),
    );
    expect(documents.map((one) => Object(one).name).sort()).toEqual(['c.xml', 'Überweisung März 🧾.pdf']);
    const sent = await requestsTo(sandbox(), 'POST', '/files');
    expect(sent.map(({ bodySha256 }) => bodySha256).sort()).toEqual(
      [sha256(pdf('1')), sha256(Buffer.from('<x/>'))].sort(),
    );
  });

  test('a file that was downloaded can be uploaded again', async () => {
    const bytes = pdf('round', 2_000_000);
    const input = itemsWithFiles({ files: { data: { bytes, name: 'x.pdf' } } });
    const [document] = jsonOf(await runAction(sandbox(), uploadTo(company), { input, settings }));
    const { outputs } = await runAction(
      sandbox(),
      {
        resource: 'document',
        operation: 'download',
        documentId: String(Object(document).id),
        binaryPropertyName: 'data',
        output: 'simplified',
      },
      { settings },
    );
    const again = jsonOf(
      await runAction(sandbox(), uploadTo(company), { input: outputs[0], settings, executionId: '2' }),
    );
    expect(again[0]).toMatchObject({ name: 'x.pdf', file: { sha256: sha256(bytes) } });
  });

  test('a field without a file is told by name, with those that have one', async () => {
    const input = itemsWithFiles({ files: { scan: { bytes: pdf('1'), name: 'x.pdf' } } });
    const { error } = await runAction(sandbox(), uploadTo(company), { input, settings });
    expect(error?.message).toBe(
      'Input Binary Field is "data", but the item has no binary field of that name. [item 0]',
    );
    expect(error?.description).toBe('Binary fields of this item: scan. Enter one of them, or * for all.');
  });
}
