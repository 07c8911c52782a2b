import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Halt } from './halt';
import { run } from './process';
import type { Say } from '../stage';

/** Where Debian keeps the server programs of PostgreSQL, by version. */
const POSTGRES = '/usr/lib/postgresql';
/** Where Debian keeps servers that are not for everybody's path. */
const SERVERS = '/usr/sbin';
/** Another apt-get, e.g. a new machine's own, is waited for. */
const APT = ['-y', '-q', '-o', 'DPkg::Lock::Timeout=300'];

/** A program that comes with a Debian package. */
export interface Program {
  /** Its names, the preferred one first. */
  names: string[];
  package: string;
}

/**
 * The path of a program, installed by apt-get if the machine has none. Not for two programs at a time, since apt-get
 * takes one caller. Throws a `Halt` when that does not work.
 */
export async function ensureProgram(program: Program, say: Say): Promise<string> {
  return find(program.names) ?? install(program, say);
}

/** True when the machine has a program of this name. */
export const hasProgram = (name: string): boolean => find([name]) !== undefined;

async function install({ names, package: name }: Program, say: Say): Promise<string> {
  say(`Installing ${name} with apt-get ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (args: string[], what: string) =>
    run('apt-get', [...APT, ...args], {
      env,
      what,
      resolution: `Install Debian's package ${name} by hand, as an administrator, then start again.`,
    });
  await aptGet(['update'], 'Reading the lists of Debian packages');
  await aptGet(['install', '--no-install-recommends', name], `Installing ${name}`);
  const found = find(names);
  if (found) return found;
  throw new Halt(`Debian's package ${name} is installed, but has no ${names.join(' or ')} on this machine.`);
}

function find(names: string[]): string | undefined {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(POSTGRES, version, 'bin')),
    SERVERS,
  ];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}
