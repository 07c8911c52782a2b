import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureHost, type HostVersion } from '../../../tools/n8n/install';
import { pack } from '../../../tools/n8n/package';
import { setStage, type Stage, type StageOptions, type Undo } from '../../../tools/n8n/stage';
import type { Setting } from '../measuring/table';

const ROOT = join(__dirname, '../../..');

/** Sets up the n8n of the end-to-end tests with the built package, does something with it, and takes it down. */
export async function onStage<T>(
  { say }: Pick<Setting, 'say'>,
  { version = '2.41.1', ...options }: Partial<StageOptions> & { version?: HostVersion },
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const undo: Undo = [];
  try {
    const host = await ensureHost(version, say);
    const folder = await mkdtemp(join(tmpdir(), 'bench-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const tarball = await pack(folder, ROOT);
    return await work(await setStage({ host, tarball, ...options }, say, undo));
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
