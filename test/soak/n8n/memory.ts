import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../../support/time/until';

const MB = 1024 * 1024;
const PRELOADED = pathToFileURL(join(__dirname, 'memory-on-signal.mjs')).href;

/** How much more n8n may hold after the last part of a run than before. What it holds also falls in between. */
export const MOST_GROWTH = 1.15;

/** The memory of a process that has just cleared up, in megabytes. */
export interface Memory {
  /** Objects and buffers. Grows when something is never let go. */
  held: number;
  /** What the system has given to it; goes up and down by half while it holds the same. */
  resident: number;
}

/** Has an n8n clear up and say what it still holds; without that one sees mostly what it has yet to clear. */
export class MemoryReport {
  /** The environment with which the n8n has to be started. */
  readonly environment: Record<string, string>;

  /** @param file where the n8n is to write its report */
  constructor(private readonly file: string) {
    this.environment = { NODE_OPTIONS: `--expose-gc --import ${PRELOADED}`, MEMORY_REPORT: file };
  }

  /** Asks the n8n of a process id. */
  async of(pid: number): Promise<Memory> {
    await rm(this.file, { force: true });
    process.kill(pid, 'SIGUSR2');
    const report = await until(
      'n8n to report its memory',
      async () => await readFile(this.file, 'utf8').catch(() => undefined),
      60_000,
    );
    const { heapUsed, external, rss }: NodeJS.MemoryUsage = JSON.parse(report);
    return { held: Math.round((heapUsed + external) / MB), resident: Math.round(rss / MB) };
  }
}
