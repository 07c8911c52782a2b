import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiOf, type JsonAnswer } from '../../support/sandbox/api';
import { type SandboxProcess, startProcess } from '../../support/sandbox/sandbox-process';
import { until } from '../../support/time/until';

let folder: string;
let data: string;
let sandbox: SandboxProcess;
let agent: Agent;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  data = join(folder, 'data.sqlite');
  await start();
});

afterEach(async () => {
  agent.destroy();
  await sandbox.end('SIGTERM');
  await rm(folder, { recursive: true });
});

async function start() {
  sandbox = await startProcess(['--data', data, '--documents', '10', '--rate-limit', 'off']);
  agent = new Agent({ keepAlive: true });
}

const post = (path: string, key: string, content: { body?: unknown; bytes?: Buffer }) =>
  apiOf(
    sandbox.url,
    agent,
  )({
    method: 'POST',
    path,
    key: sandbox.keys.full,
    ...content,
    headers: { 'idempotency-key': key },
  });

const upload = async (name: string) =>
  await post(`/files?filename=${name}.txt`, `file ${name}`, { bytes: Buffer.from(name) });

test('a file that cannot be stored is answered 503, and can be sent again', async () => {
  await rm(`${data}.files`, { recursive: true });
  expect(await upload('a')).toMatchObject({ status: 503, body: { error: { code: 'STORAGE_UNAVAILABLE' } } });
  await mkdir(`${data}.files`);
  expect(await upload('a')).toMatchObject({ status: 201, body: { filename: 'a.txt', sizeBytes: 1 } });
});

test('what was acknowledged is there after a kill, and nothing is done twice', async () => {
  const acknowledged = new Map<string, JsonAnswer['body']>();
  const sent = new Set<string>();
  const file = async (name: string) => {
    const { body } = await upload(name);
    const filing = { fileId: body.id, companyId: 'cmp_0001' };
    sent.add(name);
    return await post('/documents', `document ${name}`, { body: filing });
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
  await sandbox.end('SIGKILL');
  await Promise.all(writers);
  agent.destroy();
  await start();

  for (const name of sent) {
    const { status, headers, body } = await file(name);
    const known = acknowledged.get(name);
    expect([name, status, body.originalFilename]).toEqual([name, 201, `${name}.txt`]);
    if (known === undefined) continue;
    expect(body).toEqual(known);
    expect(headers.get('idempotent-replayed')).toBe('true');
  }
  const list = { method: 'GET', path: '/documents?limit=200&companyId=cmp_0001', key: sandbox.keys.full };
  const { body } = await apiOf(sandbox.url, agent)(list);
  const made = [body.data]
    .flat()
    .filter((row) => sent.has(String(Object(row).originalFilename).slice(0, -4)));
  expect(made).toHaveLength(sent.size);
});
