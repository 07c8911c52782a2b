import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './process';
import type { Say } from './stage';

/** Where Debian keeps the server programs of PostgreSQL, by version. */
const POSTGRES = '/usr/lib/postgresql';

/** A program that comes with a Debian package. */
export interface Program {
  /** Its names, the preferred one first. */
  names: string[];
  package: string;
}

/** The path of a program, installed by apt-get if the machine has none. Throws a `Halt` when that does not work. */
export async function ensureProgram(program: Program, say: Say): Promise<string> {
  const found = find(program.names);
  if (found) return found;
  say(`Installing ${program.package} ...`);
  const words = {
    what: `Installing ${program.package}`,
    wayOut: 'Install it by hand, then start again.',
  };
  await run('apt-get', ['update', '-q'], words);
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', program.package], {
    ...words,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return find(program.names) ?? program.names[0] ?? program.package;
}

function find(names: string[]): string | undefined {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(POSTGRES, version, 'bin')),
  ];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}
