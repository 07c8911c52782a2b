import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fuzz } from '../sandbox/contract/fuzz/fuzz';
import { killRounds } from '../sandbox/server/hardship/kill';
import { documentsFrom, load } from '../sandbox/server/hardship/load';
import { startProcess } from '../support/sandbox-process';

const MINUTE = 60_000;

describe('the sandbox', () => {
  it(
    'serves 200 clients for a minute, each document made once',
    async () => {
      const sandbox = await startProcess(['--rate-limit', 'off']);
      try {
        const before = new Set(await documentsFrom(sandbox, 'api'));
        const { unexpected, documents, requests, slowest } = await load(sandbox, 200, 60);
        console.log(`${requests} requests, the slowest took ${Math.round(slowest)} ms`);
        expect(unexpected).toEqual([]);
        const made = (await documentsFrom(sandbox, 'api')).filter((id) => !before.has(id));
        expect(made.sort()).toEqual(documents.sort());
      } finally {
        await sandbox.end('SIGTERM');
      }
    },
    3 * MINUTE,
  );

  it(
    'answers random and malformed requests by the contract',
    async () => {
      const sandbox = await startProcess(['--rate-limit', 'off']);
      try {
        for (let round = 0; round < 20; round += 1) {
          const seed = Date.now() % 2 ** 31;
          const { faults } = await fuzz(sandbox, { seed, count: 2000, width: 20 });
          expect({ seed, faults }).toEqual({ seed, faults: [] });
        }
      } finally {
        await sandbox.end('SIGTERM');
      }
    },
    10 * MINUTE,
  );

  it(
    'loses nothing that it acknowledged in ten kills at random moments',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
      try {
        const result = await killRounds(join(folder, 'data.sqlite'), 10, () => 100 + Math.random() * 1500);
        console.log(`${result.acknowledged} writes were acknowledged`);
        expect(result.unexpected).toEqual([]);
        expect(result.found).toBe(result.sent);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    10 * MINUTE,
  );
});
