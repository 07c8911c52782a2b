// Installs the locked packages when they are missing or no longer those of the lock file.
// Uses nothing but Node.js, since it runs before anything is installed. It speaks on stderr only: what comes
// after it may be read by a program.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const marker = join(root, 'node_modules', '.installed');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

function npm(...args) {
  const { status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', process.stderr, 'inherit'] });
  if (status !== 0) {
    console.error(
      `Installing stopped at "npm ${args.join(' ')}". Check the network and the free disk space, then start again.`,
    );
    process.exit(1);
  }
}

if (!existsSync(marker) || readFileSync(marker, 'utf8') !== wanted) {
  console.error('Installing the packages (about two minutes, once) ...');
  // Without install scripts (.npmrc), which download what nothing here needs; only Node.js 24 itself comes by one.
  npm('ci', '--loglevel=error');
  npm('rebuild', 'node', '--ignore-scripts=false', '--loglevel=error');
  writeFileSync(marker, wanted);
}
