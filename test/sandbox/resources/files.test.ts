import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { sha256 } from '../../../sandbox/ids';
import type { Company, Document, File } from '../../../sandbox/records';
import { MAX_FILE_BYTES } from '../../../sandbox/store/blobs';
import { first } from '../../support/sandbox/pages';
import { useSandbox, type ApiErrorBody } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

const upload = <T = File>(
  bytes: Uint8Array,
  { filename = 'arve.pdf', type, key }: { filename?: string; type?: string; key?: string } = {},
) =>
  sandbox().call<T>({
    method: 'POST',
    path: '/files',
    query: { filename },
    body: bytes,
    key,
    headers: type === undefined ? {} : { 'content-type': type },
  });

test('keeps a type beyond ASCII, which arrives as UTF-8', async () => {
  const type = 'application/pdf; name="Arve õž.pdf"';
  const { body } = await upload(randomBytes(10), { type: Buffer.from(type).toString('latin1') });
  expect(body.mimeType).toBe(type);
});

test.each([
  ['application/pdf', Buffer.from('%PDF-1.7')],
  ['application/json', Buffer.from('{"not": "parsed", ')],
  ['application/xml; charset=utf-8', Buffer.from('<arve/>')],
  ['application/x-www-form-urlencoded', Buffer.from('a=b')],
  ['multipart/form-data; boundary=x', Buffer.from('--x--')],
  ['text/plain', Buffer.from([0, 255, 13, 10, 0])],
  ['image/png', Buffer.alloc(0)],
  ['foo', randomBytes(10)],
  ['image/jpeg, image/png', randomBytes(10)],
  [undefined, randomBytes(1000)],
])('takes the bytes of the type %s as they are', async (type, bytes) => {
  const { status, body } = await upload(bytes, { type });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    filename: 'arve.pdf',
    mimeType: type ?? 'application/octet-stream',
    sizeBytes: bytes.length,
    sha256: sha256(bytes),
    documentId: null,
  });
  expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(24 * 3600 * 1000);
  expect((await sandbox().call<File>({ path: `/files/${body.id}` })).body).toEqual(body);
  const content = await sandbox().call<undefined>({ path: `/files/${body.id}/content` });
  expect(content.headers.get('content-type')).toBe('application/octet-stream');
  expect(content.bytes.equals(bytes)).toBe(true);
});

test.each(['Überweisung März 🧾.pdf', 'Überweisung.pdf', 'a'.repeat(251) + '.pdf', 'a b&c=d%20.tar.gz'])(
  'keeps the name %s code point for code point',
  async (filename) => {
    expect((await upload(Buffer.from('x'), { filename })).body.filename).toBe(filename);
  },
);

test.each([
  ['a'.repeat(252) + '.pdf', 400],
  ['', 400],
  ['arve', 400],
  ['arve.', 400],
  ['.pdf/arve', 400],
])('refuses the name %s', async (filename, status) => {
  const answer = await upload<ApiErrorBody>(Buffer.from('x'), { filename });
  expect([answer.status, answer.body.error.details?.issues?.[0]?.path]).toEqual([status, 'filename']);
});

test('refuses a file without a name', async () => {
  const answer = await sandbox().call({ method: 'POST', path: '/files', body: Buffer.from('x') });
  expect([answer.status, answer.body.error.details?.issues?.[0]?.path]).toEqual([400, 'filename']);
});

test.each([
  ['setup.exe', 'application/octet-stream'],
  ['run.SH', 'text/plain'],
  ['page.js', undefined],
  ['arve.pdf', 'application/x-msdownload'],
  ['arve.pdf', 'text/JavaScript; charset=utf-8'],
  ['setup.exe. ', 'application/octet-stream'],
  ['index.php', 'text/plain'],
  ['arve.pdf', 'application/x-httpd-php'],
])('refuses a program: %s as %s', async (filename, type) => {
  const answer = await upload<ApiErrorBody>(Buffer.from('x'), { filename, type });
  expect([answer.status, answer.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test.each([
  ['scan.bin', 'application/octet-stream'],
  ['scan.bin', undefined],
  ['arve.exe.pdf', 'application/pdf'],
  ['arve.asice', 'application/vnd.etsi.asic-e+zip'],
])('takes every other file: %s as %s', async (filename, type) => {
  expect((await upload(Buffer.from('x'), { filename, type })).status).toBe(201);
});

describe('48 MB', () => {
  test('is taken', async () => {
    const bytes = Buffer.alloc(MAX_FILE_BYTES, 'agency');
    const { status, body } = await upload(bytes);
    expect([status, body.sizeBytes, body.sha256]).toEqual([201, 50_331_648, sha256(bytes)]);
  });

  /** Uploads by hand, so that it shows how much was sent before the answer came. */
  const send = async (headers: Record<string, string | number>, total: number) => {
    const call = request(`${sandbox().url}/api/v1/files?filename=a.pdf`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox().keys.full}`, ...headers },
    });
    const chunk = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const chunks = function* () {
      for (; sent < total; sent += chunk.length) yield chunk;
    };
    // Breaks off once the answer has come.
    pipeline(chunks, call).catch(() => undefined);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const { error } = (await json(response)) as ApiErrorBody;
    call.destroy();
    return { status: response.statusCode, code: error.code, sent };
  };

  test('and a byte, announced, is refused without reading', async () => {
    const answer = await send({ 'content-length': MAX_FILE_BYTES + 1 }, MAX_FILE_BYTES);
    expect(answer).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect(answer.sent).toBeLessThan(20 * 1024 * 1024);
  });

  test('and a byte, not announced, is refused when it comes', async () => {
    const answer = await send({ 'transfer-encoding': 'chunked' }, MAX_FILE_BYTES * 4);
    expect(answer).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect(answer.sent).toBeLessThan(MAX_FILE_BYTES + 20 * 1024 * 1024);
  });
});

test('a file is seen only by the key that uploaded it', async () => {
  const { body } = await upload(Buffer.from('x'));
  for (const key of [sandbox().keys.other, sandbox().keys.singleCompany]) {
    expect((await sandbox().call({ path: `/files/${body.id}`, key })).status).toBe(404);
    expect((await sandbox().call({ path: `/files/${body.id}/content`, key })).status).toBe(404);
  }
});

describe('filing', () => {
  const file = async (fileId: string, more: object = {}, key?: string) => {
    const companyId = (await first<Company>(sandbox(), '/companies')).id;
    const body = { fileId, companyId, ...more };
    return sandbox().call<Document & ApiErrorBody>({ method: 'POST', path: '/documents', body, key });
  };

  test('makes a document of a file, once', async () => {
    const uploaded = (await upload(Buffer.from('%PDF-1'), { type: 'application/pdf' })).body;
    const { status, body } = await file(uploaded.id, { filename: 'Teine nimi' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'Teine nimi',
      originalFilename: 'arve.pdf',
      stage: 'inbox',
      file: { sizeBytes: 6, mimeType: 'application/pdf', sha256: uploaded.sha256 },
    });
    expect((await sandbox().call<File>({ path: `/files/${uploaded.id}` })).body.documentId).toBe(body.id);
    const content = await sandbox().call<undefined>({ path: `/documents/${body.id}/content` });
    expect(content.bytes.toString()).toBe('%PDF-1');
    const again = await file(uploaded.id);
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT']);
  });

  test('makes one document, also when requests race', async () => {
    const { id } = (await upload(Buffer.from('x'))).body;
    const answers = await Promise.all([1, 2, 3, 4].map(() => file(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  test('is not done with a file of another key, or one that does not exist', async () => {
    const { id } = (await upload(Buffer.from('x'))).body;
    expect((await file(id, {}, sandbox().keys.other)).status).toBe(404);
    expect((await file('file_x')).status).toBe(404);
  });

  test('is not done for a company that does not exist, or is out of reach', async () => {
    const key = sandbox().keys.singleCompany;
    const { id } = (await upload(Buffer.from('x'), { key })).body;
    const unknown = await file(id, { companyId: 'nobody' }, key);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND']);
    const [, other] = (await sandbox().call<{ data: Company[] }>({ path: '/companies' })).body.data;
    const denied = await file(id, { companyId: other?.id }, key);
    expect([denied.status, denied.body.error.code]).toEqual([403, 'COMPANY_ACCESS_DENIED']);
    expect((await sandbox().call<File>({ path: `/files/${id}`, key })).body.documentId).toBeNull();
  });

  test.each([
    ['no file', { fileId: undefined }, 'fileId'],
    ['no company', { companyId: undefined }, 'companyId'],
    ['an empty name', { filename: '' }, 'filename'],
    ['a name of 256', { filename: 'x'.repeat(256) }, 'filename'],
    ['an unknown field', { stage: 'storage' }, 'stage'],
  ])('is refused with %s', async (_what, more, path) => {
    const { status, body } = await file('file_x', more);
    expect([status, body.error.details?.issues?.[0]?.path]).toEqual([422, path]);
  });

  test('comes too late after a day; a file that was filed stays', async () => {
    const [kept, lost] = [(await upload(Buffer.from('k'))).body, (await upload(Buffer.from('l'))).body];
    await file(kept.id);
    await sandbox().control('clock', { advanceSeconds: 24 * 3600 - 60 });
    expect((await sandbox().call({ path: `/files/${lost.id}` })).status).toBe(200);
    await sandbox().control('clock', { advanceSeconds: 60 });
    expect((await sandbox().call({ path: `/files/${lost.id}` })).status).toBe(404);
    expect((await file(lost.id)).status).toBe(404);
    expect((await sandbox().call({ path: `/files/${kept.id}/content` })).status).toBe(200);
  });
});
