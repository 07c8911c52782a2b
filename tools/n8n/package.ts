import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Host } from './install';
import { run } from './processes/process';

const ROOT = join(__dirname, '../..');

/** The steps and flags of n8n's own installation of a community package (n8n's `CommunityPackagesService`). */
const N8N_INSTALL_FLAGS = [
  '--audit=false',
  '--fund=false',
  '--bin-links=false',
  '--install-strategy=shallow',
  '--ignore-scripts=true',
  '--package-lock=false',
];

/** Builds this project and packs it into `folder`; gives the path of the tarball. */
export async function buildAndPack(folder: string): Promise<string> {
  await run('npm', ['run', '--silent', 'build'], {
    cwd: ROOT,
    what: 'Building the package',
    resolution: 'Fix what it reports:',
  });
  return pack(folder, ROOT);
}

/** Packs what a tarball holds again, as another version of the package, into `folder`; gives the path of the new tarball. */
export async function repack(tarball: string, version: string, folder: string): Promise<string> {
  const unpacked = await mkdtemp(join(tmpdir(), 'package-'));
  try {
    await untar(tarball, unpacked);
    const file = join(unpacked, 'package.json');
    const changed = { ...JSON.parse(await readFile(file, 'utf8')), version };
    await writeFile(file, JSON.stringify(changed, null, 2));
    return await pack(folder, unpacked);
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}

/** Packs the built package in the folder `from` into `folder`; gives the path of the tarball. */
export async function pack(folder: string, from: string): Promise<string> {
  const name = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: from,
    what: 'Packing the package',
    resolution: 'Run "npm run build" and see what it reports.',
  });
  return join(folder, name.trim().split('\n').at(-1) ?? '');
}

/**
 * Installs a tarball into an n8n user folder the way a click in n8n does: unpack, drop the
 * development parts of its package.json, install its dependencies with n8n's flags, note it in the
 * folder's package.json. npm runs on the Node.js of `host`, where one is given. Gives the package's name.
 */
export async function installPackage(
  tarball: string,
  userFolder: string,
  host?: Pick<Host, 'node'>,
): Promise<string> {
  const nodes = join(userFolder, '.n8n', 'nodes');
  const manifest: { name: string; version: string } = JSON.parse(
    await run('tar', ['-xOzf', tarball, 'package/package.json'], UNPACKING),
  );
  const { name, version } = manifest;
  const target = join(nodes, 'node_modules', name);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await untar(tarball, target);
  const kept = Object.entries(manifest).filter(
    ([key]) => !['devDependencies', 'peerDependencies', 'optionalDependencies'].includes(key),
  );
  await writeFile(join(target, 'package.json'), JSON.stringify(Object.fromEntries(kept), null, 2));
  await run('npm', ['install', ...N8N_INSTALL_FLAGS], {
    cwd: target,
    env: host && { ...process.env, PATH: `${dirname(host.node)}${delimiter}${process.env['PATH'] ?? ''}` },
    what: `Installing ${name}`,
    resolution: 'Check the network.',
  });
  await writeLedger(nodes, { [name]: version });
  return name;
}

/** Removes an installed package from an n8n user folder and its package.json, as n8n's uninstall does. */
export async function uninstallPackage(name: string, userFolder: string): Promise<void> {
  const nodes = join(userFolder, '.n8n', 'nodes');
  await rm(join(nodes, 'node_modules', name), { recursive: true, force: true });
  await writeLedger(nodes, {});
}

const writeLedger = (nodes: string, dependencies: Record<string, string>) =>
  writeFile(
    join(nodes, 'package.json'),
    JSON.stringify({ name: 'installed-nodes', private: true, dependencies }, null, 2),
  );

const UNPACKING = { what: 'Unpacking the package', resolution: 'Pack it again.' };

const untar = (tarball: string, folder: string) =>
  run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], UNPACKING);
