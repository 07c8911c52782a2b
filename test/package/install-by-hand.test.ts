import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { INSTALL_COMMANDS, installByHand } from '../support/install-commands';
import { packPackage, type Packed } from '../support/packed';

const LONG = 120_000;

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

const run = (command: string, node: string) =>
  installByHand(command, { tarball: packed.tarball, home, node: realpathSync(node) });

/** The packages and folders that npm made, without its own notes. */
const installed = async (): Promise<string[]> =>
  (await readdir(join(home, '.n8n/nodes/node_modules'))).filter((name) => !name.startsWith('.'));

test('the README has a command for a machine and one for a container', () => {
  expect(INSTALL_COMMANDS.map((command) => command.startsWith('docker'))).toEqual([false, true]);
});

describe.each([...NODES])('On Node.js %s', (_, node) => {
  test.each(INSTALL_COMMANDS)(
    '"%s" installs this package alone, in an empty home folder',
    async (command) => {
      await run(command, node);
      expect(await installed()).toEqual([packed.manifest.name]);
      expect(existsSync(join(home, '.n8n/nodes/node_modules', packed.manifest.name, 'dist'))).toBe(true);
    },
    LONG,
  );

  test.each(INSTALL_COMMANDS)(
    '"%s" does so in a home folder with packages of its own, which it leaves alone',
    async (command) => {
      const manifest = JSON.stringify({ name: 'home', private: true });
      await writeFile(join(home, 'package.json'), manifest);
      await mkdir(join(home, 'node_modules/other'), { recursive: true });
      await run(command, node);
      expect(await installed()).toEqual([packed.manifest.name]);
      expect(readFileSync(join(home, 'package.json'), 'utf8')).toBe(manifest);
      expect(await readdir(join(home, 'node_modules'))).toEqual(['other']);
    },
    LONG,
  );
});
