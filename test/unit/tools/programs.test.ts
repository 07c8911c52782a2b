import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensureProgram } from '../../../tools/n8n/processes/programs';

const NAME = 'a-browser-that-no-machine-has';
const PROGRAM = { names: [NAME, `${NAME}-stable`], package: 'a-browser' };
const PATH = process.env['PATH'] ?? '';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'));
  process.env['PATH'] = `${folder}${delimiter}${PATH}`;
});
afterEach(() => {
  process.env['PATH'] = PATH;
  rmSync(folder, { recursive: true });
});

/** Puts a shell script on the path. */
function script(name: string, body: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, name), 0o755);
}

describe('a program that the tools need', () => {
  it('is taken from the path, by any of its names', async () => {
    script(`${NAME}-stable`, 'exit 0');
    const said: string[] = [];
    await expect(ensureProgram(PROGRAM, (line) => said.push(line))).resolves.toBe(
      join(folder, `${NAME}-stable`),
    );
    expect(said).toEqual([]);
  });

  it('is installed when it is missing', async () => {
    const log = join(folder, 'log');
    script('apt-get', `echo "$@" >> ${log}\ncase "$*" in *install*) touch ${join(folder, NAME)};; esac`);
    const said: string[] = [];
    await expect(ensureProgram(PROGRAM, (line) => said.push(line))).resolves.toBe(join(folder, NAME));
    expect(said).toEqual(['Installing a-browser with apt-get ...']);
    expect(readFileSync(log, 'utf8')).toMatch(/^-y .* update\n-y .* install .* a-browser\n$/);
  });

  it.each([
    ['echo "Unable to fetch some archives" >&2; exit 100', /a-browser by hand[^]*Unable to fetch/],
    ['exit 0', /a-browser is installed, but has no a-browser-that-no-machine-has or/],
  ])('that cannot be installed is told: apt-get does "%s"', async (body, message) => {
    script('apt-get', body);
    await expect(ensureProgram(PROGRAM, () => undefined)).rejects.toThrow(message);
  });
});
