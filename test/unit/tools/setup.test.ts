import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const SETUP = join(__dirname, '../../../tools/setup.mjs');

/** Stands in for npm, which would download for minutes: says something, as npm does, and makes the folder. */
const NPM = '#!/bin/sh\necho "npm $*"\nmkdir -p node_modules\n';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-test-'));
  for (const name of ['tools', 'bin']) mkdirSync(join(folder, name));
  copyFileSync(SETUP, join(folder, 'tools', 'setup.mjs'));
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  writeFileSync(join(folder, 'bin', 'npm'), NPM, { mode: 0o755 });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function setUp() {
  const path = `${join(folder, 'bin')}${delimiter}${process.env.PATH ?? ''}`;
  return spawnSync(process.execPath, [join(folder, 'tools', 'setup.mjs')], {
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  });
}

test('it installs what is missing, and leaves stdout to the program that starts after it', () => {
  const { status, stdout, stderr } = setUp();
  expect([status, stdout]).toEqual([0, '']);
  expect(stderr).toContain('Installing the packages');
  expect(stderr).toContain('npm ci');
  expect(existsSync(join(folder, 'node_modules', '.installed'))).toBe(true);
});

test('it does nothing when all is installed, and installs again for another lock file', () => {
  setUp();
  expect(setUp()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  writeFileSync(join(folder, 'package-lock.json'), '{"lockfileVersion": 3}');
  expect(setUp().stderr).toContain('npm ci');
});
