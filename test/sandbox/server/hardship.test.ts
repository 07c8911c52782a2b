import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '../../support/sandbox/sandbox-process';
import { killRounds } from './hardship/kill';
import { documentsFrom, load } from './hardship/load';

describe('the sandbox', () => {
  test('serves 200 clients at once, each document made once', async () => {
    const sandbox = await startProcess(['--rate-limit', 'off', '--documents', '50']);
    try {
      const before = await documentsFrom(sandbox, 'api');
      const { unexpected, documents } = await load(sandbox, 200, 2);
      expect(unexpected).toEqual([]);
      expect(documents.length).toBeGreaterThanOrEqual(200);
      const made = (await documentsFrom(sandbox, 'api')).filter((id) => !before.includes(id));
      expect(made.sort()).toEqual(documents.sort());
    } finally {
      await sandbox.end('SIGTERM');
    }
  });

  test('loses nothing that it acknowledged when it is killed in the middle', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
    try {
      const data = join(folder, 'data.sqlite');
      const { unexpected, sent, found } = await killRounds(data, 2, () => 25);
      expect(unexpected).toEqual([]);
      expect(found).toBe(sent);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
