import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newRandom } from '../../sandbox/seed/random';
import { fuzz } from '../sandbox/contract/fuzz/fuzz';
import { killRounds } from '../sandbox/server/hardship/kill';
import { documentsFrom, load } from '../sandbox/server/hardship/load';
import { startProcess } from '../support/sandbox/sandbox-process';

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
        const seed = Date.now() % 2 ** 31;
        const random = newRandom(seed);
        const data = join(folder, 'data.sqlite');
        const { acknowledged, unexpected, found, sent } = await killRounds(data, 10, () =>
          random.int(5, 500),
        );
        console.log(`${acknowledged} writes were acknowledged`);
        expect({ seed, unexpected, found }).toEqual({ seed, unexpected: [], found: sent });
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    10 * MINUTE,
  );
});
