import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Halt } from './processes/halt';
import { run } from './processes/process';
import { ensureProgram, hasProgram } from './processes/programs';

const HOSTS = join(__dirname, '../../hosts');

/** What compiles n8n's database module, each in a Debian package of its name. */
const COMPILER = ['python3', 'make', 'g++'];

/** The versions of n8n that have a folder of their own under `hosts/`. */
export type HostVersion = '2.41.1' | '1.123.81' | '1.105.4';

/** An installed n8n with the Node.js that it runs on. */
export interface Host {
  version: HostVersion;
  /** Everything before the first dot: REST answers differ between 1.x and 2.x. */
  major: 1 | 2;
  /** Path of the Node.js program. */
  node: string;
  /** Path of n8n's start script. */
  n8n: string;
}

/**
 * Installs an n8n from its lock file unless that very lock is installed already. `say` gets a line
 * before something takes minutes. Throws a `Halt` when npm stops.
 */
export async function ensureHost(version: HostVersion, say: (line: string) => void): Promise<Host> {
  const folder = join(HOSTS, version);
  const modules = join(folder, 'node_modules');
  const marker = join(modules, '.installed');
  const lock = createHash('sha256')
    .update(await readFile(join(folder, 'package-lock.json')))
    .digest('hex');
  const host: Host = {
    version,
    major: version.startsWith('1.') ? 1 : 2,
    node: join(modules, 'node/bin/node'),
    n8n: join(modules, 'n8n/bin/n8n'),
  };
  if (existsSync(marker) && (await readFile(marker, 'utf8')) === lock) return host;

  say(`Installing n8n ${version} (about 5 minutes and 3 GB, once) ...`);
  const npm = (args: string[], resolution: string, env: NodeJS.ProcessEnv = process.env) =>
    run('npm', [...args, '--loglevel=error'], {
      cwd: folder,
      env,
      what: `Installing n8n ${version}`,
      resolution,
    });
  // Install scripts download prebuilt programs, and one of them does not build; n8n needs just these two.
  await npm(['ci', '--ignore-scripts'], 'Check the network and the free disk space, then start again.');
  await npm(['rebuild', 'node', '--ignore-scripts=false'], 'Check the network, then start again.');
  say(`Building the database module of n8n ${version} (about 2 minutes, once) ...`);
  const build = () =>
    npm(
      ['rebuild', 'sqlite3', '--ignore-scripts=false'],
      'See what its compiler says.',
      buildEnvironment(modules),
    );
  try {
    await build();
  } catch (error) {
    // It is compiled where no prebuilt one can be downloaded.
    const missing = COMPILER.filter((name) => !hasProgram(name));
    if (!(error instanceof Halt) || missing.length === 0) throw error;
    for (const name of missing) await ensureProgram({ names: [name], package: name }, say);
    await build();
  }
  await writeFile(marker, lock);
  return host;
}

/** Builds with the host's own Node.js and its headers, so that none are downloaded. */
function buildEnvironment(modules: string): NodeJS.ProcessEnv {
  const headers = join(modules, `node/node_modules/node-${process.platform}-${process.arch}`);
  return {
    ...process.env,
    PATH: `${join(modules, 'node/bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    npm_config_nodedir: headers,
  };
}
