import { join } from 'node:path';
import { obstacles, readFacts, type ReleaseFacts } from '../../../tools/release/obstacles';

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
  addressed: {
    'SECURITY.md': 'Write to security@books.ee, see https://docs.n8n.io and https://examples.ee',
    'a.ts': "placeholder: 'e.g. https://agency.example'",
  },
  hasFixtures: true,
};

const { manifest } = READY;
const CHANGELOG =
  'CHANGELOG.md must begin with an empty "Unreleased", and "## [1.2.0]" with its date, e.g. " - 2030-01-31".';

test('nothing stands in the way of a project that is ready', () => {
  expect(obstacles(READY)).toEqual([]);
});

test.each<[string, Partial<ReleaseFacts>, string]>([
  [
    'a placeholder of the author',
    { manifest: { ...manifest, author: { name: 'Books', email: 'nodes@agency.example' } } },
    "package.json: author.email is the placeholder nodes@agency.example. Use the owner's value.",
  ],
  [
    'a missing author',
    { manifest: { ...manifest, author: { email: 'nodes@books.ee' } } },
    'package.json has no author.name. Set it.',
  ],
  [
    'a repository that provenance does not work with',
    { manifest: { ...manifest, repository: { url: 'https://git.books.ee/n8n.git' } } },
    'package.json: repository.url must be https://github.com/<owner>/<name>.git.',
  ],
  [
    'a placeholder in a document',
    { addressed: { 'SECURITY.md': 'Write to <security@agency.example>.' } },
    "SECURITY.md links to the placeholder security@agency.example. Use the owner's address.",
  ],
  [
    'a lock of another version',
    { lockedVersion: '1.1.0' },
    'package-lock.json has version 1.1.0, package.json 1.2.0. Run "npm install".',
  ],
  ['a version that is not named', { changelog: '## [Unreleased]\n\n## [1.1.0] - 2026-10-01\n' }, CHANGELOG],
  ['a version without date', { changelog: '## [Unreleased]\n\n## [1.2.0]\n' }, CHANGELOG],
  ['a change of no version', { changelog: '## [Unreleased]\n\n- x\n\n## [1.2.0] - 2026-11-30\n' }, CHANGELOG],
  [
    'a version without saved workflows',
    { hasFixtures: false },
    'test/fixtures/workflows/1.2.0 has no saved workflows. Run "npm run fixtures".',
  ],
])('%s stands in the way', (_, change, words) => {
  expect(obstacles({ ...READY, ...change })).toContain(words);
});

test('the lock of this checkout is of its version', () => {
  const facts = readFacts(join(__dirname, '../../..'));
  expect(facts.lockedVersion).toBe(facts.manifest.version);
});
