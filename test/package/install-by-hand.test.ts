import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packPackage, type Packed } from '../support/packed';

const README = readFileSync(join(__dirname, '../../README.md'), 'utf8');
const LONG = 120_000;

/** Every command of the README that installs the package. */
const COMMANDS = [...README.matchAll(/^.*\bnpm install\b.*$/gm)].map(([line]) => line);

/** Every Node.js of this machine's `PATH` and the one that runs this test, by version. */
const NODES = new Map(
  [...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node')), process.execPath]
    .filter((program) => existsSync(program))
    .map((program) => [execFileSync(program, ['--version'], { encoding: 'utf8' }).trim(), program]),
);

let packed: Packed;
let home: string;
beforeAll(async () => {
  packed = await packPackage();
}, LONG);
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
});
afterEach(async () => await rm(home, { recursive: true, force: true }));
afterAll(async () => await rm(packed.folder, { recursive: true, force: true }));

/**
 * Runs a command as it stands in the README, but with the packed package in place of its name, and on this machine with
 * a home folder of its own in place of the container. npm may ask no registry: it would find another package there.
 */
function run(command: string, node: string): void {
  const here = command
    .replace(/^docker exec -u node n8n /, '')
    .replace('/home/node/', '"$HOME"/')
    .replace(packed.manifest.name, `"${packed.tarball}"`);
  const path = [join(realpathSync(node), '..'), process.env.PATH].join(delimiter);
  execFileSync('sh', ['-c', here], {
    cwd: home,
    env: { PATH: path, HOME: home, npm_config_offline: 'true', npm_config_update_notifier: 'false' },
    stdio: 'pipe',
  });
}

/** The packages and folders that npm made, without its own notes. */
const installed = async (): Promise<string[]> =>
  (await readdir(join(home, '.n8n/nodes/node_modules'))).filter((name) => !name.startsWith('.'));

test('the README has a command for a machine and one for a container', () => {
  expect(COMMANDS.map((command) => command.startsWith('docker'))).toEqual([false, true]);
});

describe.each([...NODES])('On Node.js %s', (_, node) => {
  test.each(COMMANDS)(
    '"%s" installs this package alone, in an empty home folder',
    async (command) => {
      run(command, node);
      expect(await installed()).toEqual([packed.manifest.name]);
      expect(existsSync(join(home, '.n8n/nodes/node_modules', packed.manifest.name, 'dist'))).toBe(true);
    },
    LONG,
  );

  test.each(COMMANDS)(
    '"%s" does so in a home folder with packages of its own, which it leaves alone',
    async (command) => {
      const manifest = JSON.stringify({ name: 'home', private: true });
      await writeFile(join(home, 'package.json'), manifest);
      await mkdir(join(home, 'node_modules/other'), { recursive: true });
      run(command, node);
      expect(await installed()).toEqual([packed.manifest.name]);
      expect(readFileSync(join(home, 'package.json'), 'utf8')).toBe(manifest);
      expect(await readdir(join(home, 'node_modules'))).toEqual(['other']);
    },
    LONG,
  );
});
