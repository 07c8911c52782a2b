import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiOf } from '../../support/sandbox/api';
import { startProcess } from '../../support/sandbox/sandbox-process';

test('a file that cannot be stored is answered 503, and can be sent again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  const data = join(folder, 'data.sqlite');
  const sandbox = await startProcess(['--data', data, '--documents', '10']);
  const agent = new Agent();
  try {
    const api = apiOf(sandbox.url, agent);
    const upload = {
      method: 'POST',
      path: '/files?filename=a.txt',
      key: sandbox.keys.full,
      bytes: Buffer.from('a'),
      headers: { 'idempotency-key': 'the same' },
    };
    await rm(`${data}.files`, { recursive: true });
    expect(await api(upload)).toMatchObject({
      status: 503,
      body: { error: { code: 'STORAGE_UNAVAILABLE' } },
    });
    await mkdir(`${data}.files`);
    expect(await api(upload)).toMatchObject({ status: 201, body: { filename: 'a.txt', sizeBytes: 1 } });
  } finally {
    agent.destroy();
    await sandbox.end('SIGTERM');
    await rm(folder, { recursive: true });
  }
});
