import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../../tools/n8n/package';
import { run } from '../../tools/n8n/processes/process';
import { n8n } from '../../package.json';
import { interleaved, ratios, type Turn } from './measuring/measure';
import type { Bench } from './measuring/table';

const ROOT = join(__dirname, '../..');
const OURS = n8n.nodes.map((file) => join(ROOT, file));
const THEIRS = ['HttpRequest/HttpRequest', 'Webhook/Webhook'].map((name) =>
  join(ROOT, `hosts/2.41.1/node_modules/n8n-nodes-base/dist/nodes/${name}.node.js`),
);
const MOST_BYTES = 250_000;
const MOST_FILES = 40;
const MOST_MS = 10;
/** The system counts CPU time in steps of up to 4 ms, so that only the mean of many tells. */
const LOADS = { quick: 10, all: 25 };

/** What is published: its size, and how long an n8n takes to load it. */
export const packed: Bench = {
  name: 'package',
  async run({ quick }) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-package-'));
    try {
      const tarball = await pack(folder, ROOT);
      await command('tar', ['-xzf', tarball, '-C', folder]);
      const sizes = await fileSizes(join(folder, 'package'));
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      const measured = await interleaved(
        { ours: async () => await loading(OURS), other: async () => await loading(THEIRS) },
        { fewestRounds: quick ? LOADS.quick : LOADS.all, mostSeconds: 0 },
        ({ ours }) => ratios(ours, ours),
      );
      const mean = meanOf(measured.ours);
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
          work: 'Loading the three nodes',
          ours: `${mean.toFixed(1)} ms of CPU, mean of ${measured.ours.length}`,
          other: `${meanOf(measured.other).toFixed(1)} ms, HTTP Request and Webhook nodes`,
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

/** Milliseconds of CPU that it takes to load modules, given by their absolute paths. */
async function loading(files: string[]): Promise<Turn> {
  return { value: Number(await command(process.execPath, [join(__dirname, 'package/load.mjs'), ...files])) };
}

const meanOf = (turns: Turn[] = []): number =>
  turns.reduce((sum, { value }) => sum + value, 0) / turns.length;

const command = (program: string, args: string[]) =>
  run(program, args, { what: 'Measuring the package', resolution: 'Run "npm run build" first.' });

async function fileSizes(folder: string): Promise<number[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
}
