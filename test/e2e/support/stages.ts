import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stage, StageOptions } from '../../../tools/n8n/stage';
import type { Context } from '../part';

/** A stage whose agency keeps its data in a file, so that one can look into it. */
export interface OpenStage extends Stage {
  dataFile: string;
}

/** Sets a stage whose agency has no rate limit. */
export async function openStage(
  context: Context,
  options: Partial<Omit<StageOptions, 'host'>> = {},
): Promise<OpenStage> {
  const folder = await mkdtemp(join(tmpdir(), 'agency-data-'));
  context.undo.push(() => rm(folder, { recursive: true, force: true }));
  const dataFile = join(folder, 'agency.sqlite');
  const sandboxArgs = ['--data', dataFile, '--rate-limit', 'off', ...(options.sandboxArgs ?? [])];
  return { ...(await context.stage({ ...options, sandboxArgs })), dataFile };
}
