import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The top folder of this repository. */
export const ROOT = join(__dirname, '../..');

/** The files that git tracks and that are there, by their paths below `ROOT`. */
export const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));

/** The text of a file below `ROOT`. */
export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
