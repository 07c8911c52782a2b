import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document, File } from '../../../sandbox/records';
import { readAll } from '../../support/sandbox/pages';
import { startProcess } from '../../support/sandbox/sandbox';
import { until } from '../../support/time/until';

let folder: string;
let data: string;
let sandbox: Awaited<ReturnType<typeof startProcess>>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  data = join(folder, 'data.sqlite');
  await start();
});

afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

async function start() {
  sandbox = await startProcess(['--data', data, '--documents', '10', '--rate-limit', 'off']);
}

const post = <T>(path: string, key: string, body: unknown) =>
  sandbox.call<T>({ method: 'POST', path, body, headers: { 'idempotency-key': key } });

const upload = (name: string) => post<File>(`/files?filename=${name}.txt`, `file ${name}`, Buffer.from(name));

test('a file that cannot be stored is answered 503, and can be sent again', async () => {
  await rm(`${data}.files`, { recursive: true });
  expect(await upload('a')).toMatchObject({ status: 503, body: { error: { code: 'STORAGE_UNAVAILABLE' } } });
  await mkdir(`${data}.files`);
  expect(await upload('a')).toMatchObject({ status: 201, body: { filename: 'a.txt', sizeBytes: 1 } });
});

test('what was acknowledged is there after a kill, and nothing is done twice', async () => {
  const acknowledged = new Map<string, Document>();
  const sent = new Set<string>();
  const file = async (name: string) => {
    const { body } = await upload(name);
    const filing = { fileId: body.id, companyId: 'cmp_0001' };
    sent.add(name);
    return await post<Document>('/documents', `document ${name}`, filing);
  };
  const writer = async (writerName: string) => {
    for (let turn = 0; ; turn += 1) {
      const name = `${writerName}-${turn}`;
      const [answer] = await Promise.allSettled([file(name)]);
      if (answer.status === 'rejected') return;
      acknowledged.set(name, answer.value.body);
    }
  };
  const writers = ['a', 'b', 'c', 'd'].map(writer);
  await until('some documents', () => acknowledged.size >= 25, 30_000);
  await sandbox.process.kill();
  await Promise.all(writers);
  await start();

  for (const name of sent) {
    const { status, headers, body } = await file(name);
    const known = acknowledged.get(name);
    expect([name, status, body.originalFilename]).toEqual([name, 201, `${name}.txt`]);
    if (known === undefined) continue;
    expect(body).toEqual(known);
    expect(headers.get('idempotent-replayed')).toBe('true');
  }
  const filed = await readAll<Document>(sandbox, '/documents', { companyId: 'cmp_0001' });
  const made = filed.filter(({ originalFilename }) => sent.has(originalFilename.slice(0, -4)));
  expect(made).toHaveLength(sent.size);
});
