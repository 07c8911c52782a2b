import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { AccountingAgencyApi } from '../../credentials/AccountingAgencyApi.credentials';
import { DOCS, docsPage } from '../../nodes/shared/docs';
import { repository, scripts } from '../../package.json';
import { EVENTS } from '../../nodes/shared/events/event-types';
import { generatedParts } from '../../tools/readme/tables';
import { read, ROOT, tracked } from '../support/tracked-files';

const documents = tracked.filter((file) => file.endsWith('.md'));

/** The pages for users. */
const manual = documents.filter((file) => file.startsWith('docs/'));

/** Without what only GitHub shows. */
const forReaders = documents.filter((file) => !file.startsWith('.github/'));

/** The program of the nodes and the credential. */
const source = tracked
  .filter((file) => /^(nodes|credentials)\/.*\.ts$/.test(file))
  .map(read)
  .join('\n');

const readme = read('README.md');

/** A heading's address, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Where the links of a page lead, as far as they lead to files of this repository. */
const linksOf = (page: string): { path: string; anchor: string | undefined }[] =>
  [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, target = '', anchor]) => ({
      path: target === '' ? page : join(dirname(page), decodeURIComponent(target)),
      anchor,
    }),
  );

/** Without the padding that aligns the cells of a table. */
const narrow = (text: string) => text.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---');

/** Every word of a page, its links and tables included. */
const wordsOf = (text: string) => text.match(/\S*[\p{L}\p{N}]\S*/gu) ?? [];

const parts = Object.entries(generatedParts()).flatMap(([page, made]) =>
  Object.entries(made).map(([name, content]) => [page, name, content] as const),
);

test.each(parts)('%s has %s as nodes, contract and examples are', (page, name, content) => {
  const [, found = 'Run "npm run generate".'] =
    new RegExp(`<!-- ${name} -->\\n\\n([\\s\\S]*?)\\n\\n<!-- end -->`).exec(read(page)) ?? [];
  expect(narrow(found)).toBe(narrow(content));
});

test.each([
  ['README.md', 5],
  ['docs/troubleshooting.md', 10],
])('%s quotes only messages that the package shows', (page, least) => {
  // The first cell of a row, or the bold beginning of an entry.
  const heads = read(page)
    .split('\n')
    .flatMap((line) => /^(?:\| |- \*\*)(".*?)(?:\||\*\*)/.exec(line)?.[1] ?? []);
  const quoted = heads.flatMap((head) => [...head.matchAll(/"([^"]+)"/g)].map(([, message = '']) => message));
  expect(quoted.length).toBeGreaterThanOrEqual(least);
  const said = quoted.flatMap((message) => message.split('…').map((part) => part.trim()));
  const known = (part: string) => source.includes(part) || source.includes(part.replaceAll("'", "\\'"));
  expect(said.filter((part) => !known(part))).toEqual([]);
});

/** The triggers as n8n's panel lists them. */
const TRIGGERS = new Set(Object.values(EVENTS).map(({ name }) => `On ${name.toLowerCase()}`));

/** What steps name that is n8n's own, or another node's. */
const OF_N8N = new Set([
  'Actions',
  'Binary',
  'Connection tested successfully',
  'Download Attachments',
  'Email Trigger (IMAP)',
  'Execute step',
  'Execute workflow',
  'Google Drive',
  'Read/Write Files from Disk',
  'Schema',
  'Table',
]);

const examples = tracked
  .filter((file) => /^examples\/[^/]*\.json$/.test(file))
  .map(read)
  .join('\n');

test.each(['README.md', 'docs/approvals.md', 'docs/examples.md'])(
  'the steps in %s name what the nodes and the examples have',
  (page) => {
    const steps = read(page).match(/^\d+\. .*$/gm) ?? [];
    const named = steps.flatMap((step) =>
      [...step.matchAll(/(?<!\w)(\*\*|_)([A-Z].*?)\1/g)].map(([, , name = '']) => name),
    );
    expect(named.length).toBeGreaterThanOrEqual(10);
    const isOurs = (name: string) =>
      source.includes(`'${name}'`) || examples.includes(`"name": "${name}"`) || TRIGGERS.has(name);
    expect(named.filter((name) => !isOurs(name) && !OF_N8N.has(name))).toEqual([]);
  },
);

describe('The nodes, their errors and the credential', () => {
  const home = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;
  const codex = tracked.filter((file) => /^nodes\/.*\.node\.json$/.test(file)).map(read);

  test('lead to pages of the repository that package.json names', () => {
    const leading = [
      // The build makes addresses of these.
      ...codex
        .flatMap((text) => [...text.matchAll(/"url": "([^"]+)"/g)])
        .map(([, page = '']) => docsPage(page)),
      ...Object.values(DOCS),
      new AccountingAgencyApi().documentationUrl,
    ];
    expect(leading).toHaveLength(2 * codex.length + Object.keys(DOCS).length + 1);
    for (const url of leading) {
      expect([url, url.startsWith(`${home}docs/`)]).toEqual([url, true]);
      const [page = '', anchor] = url.slice(home.length).split('#');
      expect([page, existsSync(join(ROOT, page))]).toEqual([page, true]);
      if (anchor !== undefined) expect(anchorsOf(read(page))).toContain(anchor);
    }
  });

  test('take every address from one place', () => {
    const { documentationUrl } = new AccountingAgencyApi();
    // n8n's linter wants that of the credential spelled out.
    expect(source.split(documentationUrl)).toHaveLength(2);
    expect(source.replace(documentationUrl, '')).not.toContain(home);
    for (const text of codex) expect(text).not.toContain('https://');
  });
});

describe('README.md', () => {
  test('is read in a few minutes', () => {
    expect(wordsOf(readme).length).toBeLessThanOrEqual(1000);
  });

  test('leads to every document, directly or through another one', () => {
    const reached = new Set(['README.md']);
    // A page that is added meanwhile is visited, too.
    for (const page of reached) {
      for (const { path } of linksOf(page)) if (documents.includes(path)) reached.add(path);
    }
    expect(forReaders.filter((file) => !reached.has(file))).toEqual([]);
  });

  test('lists every page of docs under More', () => {
    const [, more = ''] = readme.split('\n## More\n');
    expect(manual.filter((page) => !more.includes(`(${page})`))).toEqual([]);
  });

  test.each(forReaders.filter((file) => !['README.md', 'CHANGELOG.md', 'LICENSE.md'].includes(file)))(
    'is one click from the end of %s',
    (page) => {
      const back = join(relative(dirname(page), '.'), 'README.md#more');
      expect(read(page).trimEnd().split('\n').at(-1)).toBe(`[All pages](${back})`);
    },
  );

  test('names the versions of n8n that the package is tried in', () => {
    for (const version of readdirSync(join(ROOT, 'hosts'))) expect(readme).toContain(`n8n ${version}`);
  });
});

describe.each(documents)('%s', (file) => {
  const text = read(file);

  test('names only commands that exist', () => {
    const named = [...text.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map(([command, script = '']) =>
      command.startsWith('npm run') ? script : '',
    );
    for (const script of named.filter((one) => one !== '')) expect(Object.keys(scripts)).toContain(script);
  });

  test('leads only to files and headings that exist', () => {
    for (const { path, anchor } of linksOf(file)) {
      expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
      if (anchor !== undefined) expect(anchorsOf(read(path))).toContain(anchor);
    }
  });

  test('names only files and folders that exist', () => {
    const folders = new Set(tracked.filter((one) => one.includes('/')).map((one) => one.split('/')[0] ?? ''));
    const named = [...text.matchAll(/(?<=`|npx jest )([\w.-]+\/[\w./-]*\w)/g)].map(([, path = '']) => path);
    const own = named.filter((path) => folders.has(path.split('/')[0] ?? ''));
    expect(own.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

/** A registry's host, also as it stands in a pattern, with its dots escaped or in brackets. */
const REGISTRY = /\bregistry[^\w\s,'"]{1,4}(?:npmjs|yarnpkg)\b|\bnpmmirror[^\w\s,'"]{1,4}com\b/;

describe('The tracked files', () => {
  const texts = tracked
    .filter((file) => !/\.(gif|png|pdf)$/.test(file))
    .map((file): [string, string] => [file, read(file)]);

  const naming = (pattern: RegExp) => texts.filter(([, text]) => pattern.test(text)).map(([file]) => file);

  test('name no path of a machine', () => {
    // The folder of n8n's container image is the same everywhere.
    expect(naming(/(?<![\w.:/-])\/(?:work|root|tmp|Users|home(?!\/node\/))\/\w/)).toEqual([]);
  });

  test('name no registry, so that packages come from where a machine is set to', () => {
    expect(naming(REGISTRY)).toEqual([]);
    for (const [file, text] of texts) {
      if (file.endsWith('package-lock.json')) expect(text).not.toContain('"resolved": "http');
    }
  });

  test.each(['.', '\\.', '\\\\.', '[.]'])(
    'would be found to name one whose dots are written as %s',
    (dot) => {
      expect(['registry', 'npmjs', 'org'].join(dot)).toMatch(REGISTRY);
      expect(['npmmirror', 'com'].join(dot)).toMatch(REGISTRY);
    },
  );

  test('are pictures only where a document shows them', () => {
    const shown = documents.map(read).join('\n');
    const pictures = tracked.filter((file) => file.startsWith('docs/images/'));
    expect(pictures.filter((file) => !shown.includes(file.replace('docs/', '')))).toEqual([]);
  });
});
