import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../../tools/n8n/package';
import { run } from '../../tools/n8n/process';
import type { Bench } from './table';

const ROOT = join(__dirname, '../..');
const MOST_BYTES = 250_000;
const MOST_FILES = 40;
const MOST_MS = 10;
/** The system counts CPU time in steps of up to 4 ms, so that only the mean of many tells. */
const FEWEST_LOADS = 25;

/** What is published: its size, and how long an n8n takes to load it. */
export const packed: Bench = {
  name: 'package',
  async run({ rounds }) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-package-'));
    try {
      const tarball = await pack(folder, ROOT);
      await command('tar', ['-xzf', tarball, '-C', folder]);
      const sizes = await fileSizes(join(folder, 'package'));
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      const load = join(__dirname, 'package/load.mjs');
      const measured: number[] = [];
      for (let round = 0; round <= Math.max(rounds, FEWEST_LOADS); round += 1) {
        const milliseconds = Number(await command(process.execPath, [load]));
        if (round > 0) measured.push(milliseconds);
      }
      const mean = measured.reduce((sum, one) => sum + one, 0) / measured.length;
      const size = `${Math.round(bytes / 1000)} KB in ${sizes.length} files`;
      return [
        {
          work: 'Package, unpacked',
          ours: size,
          other: '–',
          floor: '–',
          ratio: size,
          target: `at most ${MOST_BYTES / 1000} KB in ${MOST_FILES} files`,
          met: bytes <= MOST_BYTES && sizes.length <= MOST_FILES,
        },
        {
          work: 'Loading both nodes',
          ours: `${mean.toFixed(1)} ms of CPU, mean of ${measured.length}`,
          other: '–',
          floor: '–',
          ratio: `${mean.toFixed(1)} ms of CPU`,
          target: `under ${MOST_MS} ms of CPU`,
          met: mean < MOST_MS,
        },
      ];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

const command = (program: string, args: string[]) =>
  run(program, args, { what: 'Measuring the package', wayOut: 'Run "npm run build" first.' });

async function fileSizes(folder: string): Promise<number[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
}
