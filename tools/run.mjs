// Runs a TypeScript program of this repository on the repository's own Node.js 24, and installs first what is missing:
// node tools/run.mjs FILE [ARGUMENTS]
import './setup.mjs';
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const node = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const program = spawn(node, ['--import', 'tsx', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => program.kill(signal));
program.on('exit', (code) => process.exit(code ?? 1));
