import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { name } from '../../package.json';

const README = readFileSync(join(__dirname, '../../README.md'), 'utf8');

/** Every command of the README that installs the package. */
export const INSTALL_COMMANDS = [...README.matchAll(/^.*\bnpm install\b.*$/gm)].map(([line]) => line);

/**
 * Runs a command as it stands in the README, but with the packed package in place of its name, and on this machine with
 * a home folder of its own in place of the container. npm may ask no registry: it would find another package there.
 */
export async function installByHand(
  command: string,
  { tarball, home, node }: { tarball: string; home: string; node: string },
): Promise<void> {
  const here = command
    .replace(/^docker exec -u node n8n /, '')
    .replace('/home/node/', '"$HOME"/')
    .replace(name, `"${tarball}"`);
  await promisify(execFile)('sh', ['-c', here], {
    cwd: home,
    env: {
      PATH: [dirname(node), process.env['PATH']].join(delimiter),
      HOME: home,
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    },
  });
}
