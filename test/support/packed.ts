import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../..');
/** What the package is built and packed from. */
const SOURCES = [
  'package.json',
  'gulpfile.js',
  'nodes',
  'credentials',
  'icons',
  'README.md',
  'CHANGELOG.md',
  'LICENSE.md',
];
const LONGEST_STEP_MS = 60_000;

const execute = promisify(execFile);

/** The package as it would be published, made from the sources in a folder of its own. */
export interface Packed {
  /** The temporary folder around it all. */
  folder: string;
  /** Path of the tarball. */
  tarball: string;
  /** Paths of the tarball's files, without `package/`. */
  files: string[];
  /** Bytes of all unpacked files. */
  unpackedSize: number;
  /** The unpacked package, among the modules of a host that has nothing but `n8n-workflow` and `luxon`. */
  installed: string;
  manifest: Manifest;
}

/** The parts of package.json that tests look at. */
export interface Manifest {
  name: string;
  version: string;
  n8n: { nodes: string[]; credentials: string[] };
  dependencies?: Record<string, string>;
  peerDependencies: Record<string, string>;
  scripts: Record<string, string>;
}

/** Runs a program of Node.js in a folder, and gives what it says. */
export async function runNodeScript(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { stdout } = await execute(process.execPath, ['--input-type=commonjs', '--eval', script], {
    cwd,
    timeout: LONGEST_STEP_MS,
    // Not "test", in which the rules of n8n's scan take every file for a node.
    env: { ...process.env, NODE_ENV: 'production', NODE_PATH: '', NODE_OPTIONS: '', ...env },
  });
  return stdout;
}

/** Builds and packs the sources as they are now, and unpacks the tarball the way npm installs it. */
export async function packPackage(): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'packed-'));
  const source = join(folder, 'source');
  await mkdir(source);
  for (const name of SOURCES) await cp(join(ROOT, name), join(source, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  await execute(join(ROOT, 'node_modules/.bin/gulp'), ['build', '--silent'], {
    cwd: source,
    timeout: LONGEST_STEP_MS,
  });
  const { stdout } = await execute(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder],
    { cwd: source, timeout: LONGEST_STEP_MS },
  );
  const [report]: Array<{ filename: string; unpackedSize: number; files: Array<{ path: string }> }> =
    JSON.parse(stdout);
  if (report === undefined) throw new Error('npm pack made no tarball.');
  const manifest: Manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  const tarball = join(folder, report.filename);
  const modules = join(folder, 'host', 'node_modules');
  const installed = join(modules, manifest.name);
  await mkdir(installed, { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  for (const name of ['n8n-workflow', 'luxon']) {
    await symlink(dirname(require.resolve(`${name}/package.json`)), join(modules, name));
  }
  const { files, unpackedSize } = report;
  return { folder, tarball, files: files.map(({ path }) => path), unpackedSize, installed, manifest };
}
