import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scripts } from '../../package.json';
import { type Running, start } from '../../tools/n8n/processes/process';
import { until } from '../support/time/until';
import { read, ROOT, tracked } from '../support/tracked-files';

/** For a program to start, on a busy machine. */
const LONG = 120_000;

const pages = tracked.filter((file) => file.endsWith('.md'));

/** A command at the beginning of a line of code, or in code within a sentence. */
const COMMAND = /^(?:npm|npx|docker) .+/;

const commandsOf = (page: string) => {
  const blocks = [...page.matchAll(/^```\w*\n(.*?)^```/gms)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...page.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans].filter((text) => COMMAND.test(text));
};

const CI = '.github/workflows/ci.yml';
const PUBLISH = '.github/workflows/publish.yml';
const HERE = 'test/package/commands.test.ts';
const BY_HAND = 'test/package/install-by-hand.test.ts';

/** The file that runs a command of the pages. */
const RUN_BY: Record<string, string> = {
  'npm test': CI,
  'npm ci': CI,
  'npm run build': PUBLISH,
  'npm run demo': CI,
  'npm run lint': 'package.json',
  'npm run release:check': PUBLISH,
  'npm run sandbox': HERE,
  'npm run sandbox -- --data agency.sqlite': HERE,
  'npm run sandbox -- --help': HERE,
  'npm run sandbox -- [--host 127.0.0.1] [--port 4010] [--data FILE] [--documents N] [--rate-limit N|off] [--latency MS] [--json]':
    HERE,
  'npm run sandbox --silent -- --json': HERE,
  'npm run soak -- days-off': HERE,
  'npm run soak -- kills': HERE,
  'npm run soak -- soak/memory': HERE,
  'npm run test:e2e': CI,
  'npm run test:e2e -- --n8n': CI,
  'npm install --prefix "$HOME/.n8n/nodes" n8n-nodes-accounting-agency': BY_HAND,
  'docker exec -u node n8n npm install --prefix /home/node/.n8n/nodes n8n-nodes-accounting-agency': BY_HAND,
};

const NO_DOCKER = 'The machines that run the tests have no Docker.';
const WRITES = 'It writes to this folder. Other tests compare what it writes with what is there.';

/** Why a command of the pages is run by nothing. */
const NOT_RUN: Record<string, string> = {
  'docker restart n8n': NO_DOCKER,
  'docker run --network host -v n8n_data:/home/node/.n8n docker.n8n.io/n8nio/n8n': NO_DOCKER,
  'npm install': 'It asks the registry, and is for a release.',
  'npm install --package-lock-only --ignore-scripts': 'It asks the registry, and is for another n8n.',
  'npm run bench': 'It takes 40 minutes. Its groups are compared below.',
  'npm run bench -- --write': 'It takes 40 minutes. Its groups are compared below.',
  'npm run dev': 'It runs until somebody ends it.',
  'npm run fixtures': WRITES,
  'npm run format': WRITES,
  'npm run generate': WRITES,
  'npm run screenshots': WRITES,
  'npm run soak': 'It takes three hours. What it selects is compared below.',
  'npx jest --watch': 'It runs until somebody ends it.',
  'npx jest test/nodes/document/upload.test.ts': '"npm test" runs the same test.',
  "npx jest test/nodes/document/upload.test.ts -t 'the name of the test'": '"npm test" runs the same test.',
};

test('each command of the pages is run by something, or it is said why not', () => {
  const found = [...new Set(pages.flatMap((page) => commandsOf(read(page))))].sort();
  expect(found).toEqual([...Object.keys(RUN_BY), ...Object.keys(NOT_RUN)].sort());
});

test('what is said to run a command does so', () => {
  const script = (command: string) => /^npm (?:run )?([\w:-]+)/.exec(command)?.[0] ?? command;
  for (const [command, file] of Object.entries(RUN_BY)) {
    if (file === 'package.json') expect(scripts.test).toContain(command);
    else if (file === BY_HAND) expect(existsSync(join(ROOT, BY_HAND))).toBe(true);
    else expect([file, read(file)]).toEqual([file, expect.stringContaining(script(command))]);
  }
});

describe('The sandbox', () => {
  let running: Running | undefined;
  let said = '';
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'commands-test-'));
  });

  afterEach(async () => {
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command as it stands in a page. */
  function startCommand(command: string): Running {
    said = '';
    const onLine = (line: string, from: string) => {
      if (from === 'stdout') said += `${line}\n`;
    };
    return (running = start('sh', ['-c', command], { cwd: ROOT, onLine }));
  }

  const saying = async (pattern: RegExp): Promise<string> =>
    await until(`${pattern}`, () => pattern.exec(said)?.[0], LONG);

  test(
    'prints what a person needs, and ends by Ctrl-C',
    async () => {
      const { pid, end } = startCommand('npm run sandbox -- --port 0');
      const admin = await saying(/http:\/\/127\.0\.0\.1:\d+\/admin/);
      await saying(/Open tasks\n( {2}\S+\n){3}/);
      const page = await (await fetch(admin)).text();
      const [, key = ''] = /(aa_live_\w+)\n/.exec(said) ?? [];
      expect(page).toContain(`>${key}</code>`);
      // As Ctrl-C does, which npm and what it starts get.
      process.kill(-pid, 'SIGINT');
      await end;
      await expect(fetch(admin)).rejects.toThrow('fetch failed');
    },
    LONG,
  );

  test(
    'takes every option of its page, and prints one line of JSON',
    async () => {
      const data = join(folder, 'agency.sqlite');
      const options = `--host 127.0.0.1 --port 0 --data ${data} --documents 20 --rate-limit off --latency 1`;
      startCommand(`npm run sandbox --silent -- --json ${options}`);
      const { url, keys } = JSON.parse(await saying(/.*\n/));
      const headers = { authorization: `Bearer ${keys.full}` };
      expect((await fetch(`${url}/api/v1/companies?limit=1`, { headers })).status).toBe(200);
      expect(existsSync(data)).toBe(true);
    },
    LONG,
  );

  test(
    'lists the options that its page has',
    async () => {
      await startCommand('npm run sandbox -- --help').end;
      const optionsOf = (text: string) => [...new Set(text.match(/(?<=^ {2}|\[)--[\w-]+/gm))].sort();
      expect(optionsOf(said)).toEqual(optionsOf(read('sandbox/README.md')));
    },
    LONG,
  );
});

/** Runs a program of this folder to its end, whatever its exit code. */
async function outputOf(...args: string[]): Promise<string> {
  const running = start(process.execPath, args, { cwd: ROOT });
  await running.end;
  return running.output();
}

test(
  'the benchmark has the groups that its page lists',
  async () => {
    const output = await outputOf('--import', 'tsx', 'test/bench/cli.ts', '--only', 'none');
    const [, groups = ''] = /measures one group \((.*?)\)/.exec(read('docs/performance.md')) ?? [];
    expect(output).toContain(`--only takes one of: ${groups.replaceAll('`', '')}`);
  },
  LONG,
);

test.each(Object.keys(RUN_BY).filter((command) => command.startsWith('npm run soak -- ')))(
  '"%s" selects one file',
  async (command) => {
    const [, pattern = ''] = /^npm run soak -- (.*)$/.exec(command) ?? [];
    const [, match = ''] = /--testMatch "(.*?)"/.exec(scripts.soak) ?? [];
    const jest = require.resolve('jest/bin/jest');
    const files = await outputOf(jest, '--listTests', '--testMatch', match, '--runInBand', pattern);
    expect(files.trim().split('\n')).toEqual([expect.stringContaining('test/soak/')]);
  },
  LONG,
);
