import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFacts } from '../../../tools/release/facts';
import { obstacles, placeholdersIn, type ReleaseFacts } from '../../../tools/release/obstacles';

const ROOT = join(__dirname, '../../..');

/** A project whose owner has set everything. */
const READY: ReleaseFacts = {
  manifest: {
    version: '1.2.0',
    homepage: 'https://books.ee/n8n',
    author: { name: 'Books', email: 'nodes@books.ee' },
    repository: { url: 'git+https://github.com/books/n8n-nodes-accounting-agency.git' },
  },
  lockedVersion: '1.2.0',
  changelog:
    '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-30\n\n- New\n\n## [1.1.0] - 2026-10-01\n',
  addressed: { 'SECURITY.md': 'Write to security@books.ee' },
  changes: [],
  commit: 'a1',
  taggedCommit: undefined,
  hasFixtures: true,
};

const { manifest } = READY;

test('nothing stands in the way of a project that is ready', () => {
  expect(obstacles(READY)).toEqual([]);
  expect(obstacles({ ...READY, taggedCommit: 'a1' })).toEqual([]);
});

test.each<[string, Partial<ReleaseFacts>, string]>([
  [
    'a placeholder of the author',
    { manifest: { ...manifest, author: { name: 'Books', email: 'nodes@agency.example' } } },
    "package.json: author.email is the placeholder nodes@agency.example. Set the owner's.",
  ],
  [
    'a missing author',
    { manifest: { ...manifest, author: { email: 'nodes@books.ee' } } },
    'package.json has no author.name. Set it.',
  ],
  [
    'a placeholder of the homepage',
    { manifest: { ...manifest, homepage: 'https://example.com/n8n' } },
    "package.json: homepage is the placeholder https://example.com/n8n. Set the owner's.",
  ],
  [
    'a repository that provenance does not work with',
    { manifest: { ...manifest, repository: { url: 'https://git.books.ee/n8n.git' } } },
    'package.json: repository.url must be https://github.com/<owner>/<name>.git.',
  ],
  [
    'a placeholder in a document',
    { addressed: { 'SECURITY.md': 'Write to <security@agency.example>.' } },
    "SECURITY.md leads to the placeholder security@agency.example. Set the owner's.",
  ],
  [
    'a version of another form',
    { manifest: { ...manifest, version: '1.2' } },
    'package.json: version "1.2" is not of the form 1.2.3. Set it.',
  ],
  [
    'a lock of another version',
    { lockedVersion: '1.1.0' },
    'package-lock.json has version 1.1.0, package.json 1.2.0. Run "npm install".',
  ],
  [
    'a version that the changelog does not name',
    { changelog: '## [Unreleased]\n\n## [1.1.0] - 2026-10-01\n' },
    'CHANGELOG.md: the newest version is 1.1.0, not 1.2.0. Name the release there.',
  ],
  [
    'a version without date',
    { changelog: '## [Unreleased]\n\n## [1.2.0]\n' },
    'CHANGELOG.md: version 1.2.0 has no date, e.g. "## [1.2.0] - 2030-01-31".',
  ],
  [
    'changes that belong to no version',
    { changelog: '## [Unreleased]\n\n- More\n\n## [1.2.0] - 2026-11-30\n' },
    'CHANGELOG.md: "Unreleased" still lists changes. Move them to 1.2.0.',
  ],
  [
    'a tree with changes',
    { changes: ['README.md'] },
    'The working tree has changes (README.md). Commit them, or take them back.',
  ],
  [
    'a tag of another commit',
    { taggedCommit: 'b2' },
    'The tag v1.2.0 names another commit. Raise the version.',
  ],
  [
    'a version without saved workflows',
    { hasFixtures: false },
    'test/fixtures/workflows/1.2.0 has no saved workflows. Save some with this version (CONTRIBUTING.md).',
  ],
])('%s stands in the way', (_, change, words) => {
  expect(obstacles({ ...READY, ...change })).toContain(words);
});

test("an address that is only shown stands in nobody's way", () => {
  const addressed = { 'a.ts': "placeholder: 'e.g. https://agency.example'" };
  expect(obstacles({ ...READY, addressed })).toEqual([]);
});

test.each([
  ['https://agency.example/n8n', ['https://agency.example']],
  ['see http://docs.example.org/x and a@b.test', ['http://docs.example.org', 'a@b.test']],
  ['https://docs.n8n.io and https://examples.ee', []],
])('the placeholders of %j', (text, found) => {
  expect(placeholdersIn(text)).toEqual(found);
});

describe('this checkout', () => {
  let copy: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@agency.example', ...args], {
      cwd: copy,
      encoding: 'utf8',
    });

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'agency-release-'));
    for (const part of [
      'package.json',
      'package-lock.json',
      'CHANGELOG.md',
      'SECURITY.md',
      'CONTRIBUTING.md',
    ]) {
      cpSync(join(ROOT, part), join(copy, part));
    }
    for (const part of ['credentials', 'nodes', 'test/fixtures/workflows']) {
      mkdirSync(join(copy, part), { recursive: true });
      cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    }
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'All');
  });

  afterAll(() => rmSync(copy, { recursive: true }));

  test('is not released as long as its owner has not set author, homepage, repository and documentation', async () => {
    const found = obstacles(await readFacts(copy));
    for (const words of [
      'package.json: author.email is the placeholder',
      'package.json: homepage is the placeholder',
      'package.json: repository.url is the placeholder',
      'credentials/AccountingAgencyApi.credentials.ts leads to the placeholder',
      'nodes/AccountingAgency/AccountingAgency.node.json leads to the placeholder',
      'SECURITY.md leads to the placeholder',
    ]) {
      expect(found).toContainEqual(expect.stringContaining(words));
    }
  });

  test('is read with its commit, its tag and its changes', async () => {
    const before = await readFacts(copy);
    expect(before).toMatchObject({ changes: [], taggedCommit: undefined, hasFixtures: true });
    git('tag', `v${before.manifest.version}`);
    writeFileSync(join(copy, 'new.txt'), 'new');
    expect(await readFacts(copy)).toMatchObject({ changes: ['new.txt'], taggedCommit: before.commit });
  });
});
