import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PRELOADED = pathToFileURL(join(__dirname, 'clock-ahead.mjs')).href;

/**
 * The clock of an n8n, which can be moved. The sandbox signs by its own, so n8n refuses its calls when the two are too
 * far apart.
 */
export class HostClock {
  /** The environment with which the n8n has to be started. */
  readonly environment: Record<string, string>;

  /** @param file where the n8n looks: its first content must be set before the start */
  constructor(private readonly file: string) {
    this.environment = { NODE_OPTIONS: `--import ${PRELOADED}`, CLOCK_AHEAD: file };
  }

  /** Within half a second. */
  async setAhead(seconds: number): Promise<void> {
    await writeFile(this.file, String(seconds * 1_000));
  }
}
