import type { INodeExecutionData } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action/action';
import { itemsWithFiles, pdf, sha256 } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { requestsTo, useCompany, uploadTo } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
const company = useCompany(sandbox);

const OPERATIONS = [
  ['Document: Upload', () => uploadTo(company())],
  ['File: Upload', () => ({ resource: 'file', operation: 'upload' })],
] as const;

const sentTypes = async () =>
  (await requestsTo(sandbox(), 'POST', '/files')).map(({ headers }) => headers['content-type']);

/** Each with 1,000 bytes, and with so many that it is streamed. */
const LENGTHS = [1000, 2_000_000];

describe.each(OPERATIONS)('%s', (_, parameters) => {
  test.each(LENGTHS)('sends a file of %i bytes with its type, or with that of its name', async (length) => {
    const files = [
      { name: 'arve.pdf', type: 'application/octet-stream' },
      { name: 'arve.pdf', type: 'pdf' },
      { name: 'leping.asice', type: 'application/octet-stream' },
      { name: 'arve.xyz', type: 'application/octet-stream' },
      { name: 'arve.pdf', type: 'image/png' },
      { name: 'arve.csv', type: 'text/csv; charset=utf-8' },
      { name: 'arve.json', type: 'application/json' },
      { name: 'form.bin', type: 'multipart/form-data; boundary=x' },
    ];
    const input = itemsWithFiles(
      ...files.map((file, index) => ({ files: { data: { bytes: pdf(`${index}`, length), ...file } } })),
    );
    const options = { concurrency: 1 };
    expect(jsonOf(await runAction(sandbox(), { ...parameters(), options }, { input }))).toHaveLength(8);
    expect(await sentTypes()).toEqual([
      'application/pdf',
      'application/pdf',
      'application/vnd.etsi.asic-e+zip',
      'application/octet-stream',
      'image/png',
      'text/csv; charset=utf-8',
      'application/json',
      'multipart/form-data; boundary=x',
    ]);
  });

  test('takes the type from the name that the user gives', async () => {
    const input = itemsWithFiles({
      files: { data: { bytes: pdf('1'), name: 'x.bin', type: 'application/octet-stream' } },
    });
    jsonOf(await runAction(sandbox(), { ...parameters(), options: { fileName: 'arve.xlsx' } }, { input }));
    expect(await sentTypes()).toEqual(['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet']);
  });

  test('takes the type from the name when a Code node gives none', async () => {
    const untyped: INodeExecutionData = JSON.parse(
      `{"json":{},"binary":{"data":{"data":"${pdf('1').toString('base64')}","fileName":"x.pdf"}}}`,
    );
    jsonOf(await runAction(sandbox(), parameters(), { input: [untyped] }));
    expect(await sentTypes()).toEqual(['application/pdf']);
  });

  test.each(LENGTHS)('sends %i bytes of a form as they are, under the type of a form', async (length) => {
    const bytes = Buffer.from('a=1&b=%C3%A4&'.repeat(length / 10));
    const type = 'application/x-www-form-urlencoded';
    const input = itemsWithFiles({ files: { data: { bytes, name: 'form.txt', type } } });
    jsonOf(await runAction(sandbox(), parameters(), { input }));
    const [upload] = await requestsTo(sandbox(), 'POST', '/files');
    expect(String(upload?.headers['content-type']).toLowerCase()).toBe(type);
    expect(upload).toMatchObject({ bodyLength: bytes.length, bodySha256: sha256(bytes), status: 201 });
  });
});
