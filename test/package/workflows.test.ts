import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { scripts } from '../../package.json';

interface Job {
  uses?: string;
  needs?: string;
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const FOLDER = join(__dirname, '../../.github/workflows');

const texts = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));

function workflow(name: string): Workflow {
  return parse(texts.get(name) ?? '');
}

const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);

describe.each([...texts])('%s', (name, text) => {
  const { permissions, jobs } = workflow(name);

  test('pins every action by its commit, and says which version that is', () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
    const foreign = uses.filter((action) => !action.startsWith('./'));
    expect(foreign.length).toBeGreaterThan(0);
    for (const action of foreign) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('uses one commit of each action', () => {
    const all = [...texts.values()].flatMap((one) => [...one.matchAll(/uses: ([\w/-]+)@(.*)/g)]);
    const commits = new Map(all.map(([, action, commit]) => [action, commit]));
    for (const [, action, commit] of all) expect([action, commit]).toEqual([action, commits.get(action)]);
  });

  test('may do nothing that it does not need', () => {
    expect(permissions === undefined ? 'everything' : permissions).toEqual(
      name === 'ci.yml' ? { contents: 'read' } : {},
    );
    const writes = Object.entries(jobs).flatMap(([job, { permissions: own = {} }]) =>
      Object.entries(own).flatMap(([scope, right]) =>
        right === 'read' ? [] : [`${job}: ${scope}: ${right}`],
      ),
    );
    expect(writes).toEqual(name === 'publish.yml' ? ['publish: id-token: write'] : []);
  });

  test('keeps no secret, and leaves no key in the checkout', () => {
    expect(text).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN|pull_request_target/);
    for (const { uses, with: inputs } of stepsOf(workflow(name))) {
      if (uses?.startsWith('actions/checkout@')) expect(inputs).toEqual({ 'persist-credentials': false });
    }
  });

  test('puts nothing that others wrote into a command', () => {
    for (const { run = '' } of stepsOf(workflow(name))) expect(run).not.toMatch(/\$\{\{ *github\./);
  });

  test('runs scripts that exist, each job within a limit', () => {
    const named = stepsOf(workflow(name)).flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:-]+)/g)]);
    for (const [, script = ''] of named) expect(Object.keys(scripts)).toContain(script);
    for (const { uses, 'timeout-minutes': limit } of Object.values(jobs)) {
      if (uses === undefined) expect(limit).toBeGreaterThan(0);
    }
  });
});

test('a release is published after everything was checked, with provenance', () => {
  const { jobs } = workflow('publish.yml');
  expect(jobs.check?.uses).toBe('./.github/workflows/ci.yml');
  expect(jobs.publish?.needs).toBe('check');
  const runs = (jobs.publish?.steps ?? []).map(({ run }) => run);
  expect(runs.at(-1)).toBe('npm publish --provenance --access public --ignore-scripts');
  expect(runs.indexOf('npm run release:check')).toBeGreaterThan(0);
});

test('the package is loaded on every version of Node.js that a supported n8n runs on', () => {
  expect(parse(texts.get('ci.yml') ?? '').jobs.load.strategy.matrix.node).toEqual([20, 22, 24]);
});

test('the other files of .github are what GitHub reads', () => {
  const read = (file: string) => parse(readFileSync(join(FOLDER, '..', file), 'utf8'));
  expect(
    read('dependabot.yml').updates.map((one: Record<string, unknown>) => one['package-ecosystem']),
  ).toEqual(['npm', 'github-actions']);
  for (const form of ['bug.yml', 'feature.yml']) {
    const { name, description, body } = read(`ISSUE_TEMPLATE/${form}`);
    expect([typeof name, typeof description]).toEqual(['string', 'string']);
    const ids = body.flatMap(({ id }: { id?: string }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  }
});
