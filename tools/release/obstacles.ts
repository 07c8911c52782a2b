import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a release is judged by. Whether the tag names the version, and all is committed, the workflow "Publish" sees. */
export interface ReleaseFacts {
  manifest: {
    version?: string;
    homepage?: string;
    author?: { name?: string; email?: string; url?: string };
    repository?: { url?: string };
  };
  /** The version that package-lock.json carries. */
  lockedVersion: string | undefined;
  /** Text of CHANGELOG.md. */
  changelog: string;
  /** Texts that people get to see, by the name of their file: they must lead to real addresses. */
  addressed: Record<string, string>;
  /** Whether saved workflows of this version are kept as fixtures. */
  hasFixtures: boolean;
}

/** Files whose addresses lead the users of the package to its owner. */
const ADDRESSED = ['SECURITY.md', 'CONTRIBUTING.md', 'credentials/AccountingAgencyApi.credentials.ts'];

/** @param root a checkout of this project */
export function readFacts(root: string): ReleaseFacts {
  const text = (file: string) => readFileSync(join(root, file), 'utf8');
  const manifest: ReleaseFacts['manifest'] = JSON.parse(text('package.json'));
  const lock: { version?: string } = JSON.parse(text('package-lock.json'));
  const fixtures = join(root, 'test/fixtures/workflows', manifest.version ?? '');
  return {
    manifest,
    lockedVersion: lock.version,
    changelog: text('CHANGELOG.md'),
    addressed: Object.fromEntries(ADDRESSED.map((file) => [file, text(file)])),
    hasFixtures: existsSync(fixtures) && readdirSync(fixtures).length > 0,
  };
}

/** A web or mail address of a domain that is reserved for documentation and tests (RFC 2606, RFC 6761). */
const PLACEHOLDER =
  /(?:https?:\/\/|mailto:|[\w.+-]+@)(?:[a-z0-9-]+\.)*(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)(?![a-z0-9.-]*[a-z0-9])/gi;

/** Examples that a person reads and does not open, such as the placeholder of a form. */
const SHOWN = /https:\/\/agency\.example(?![\w/-])/g;

const placeholdersIn = (text: string): string[] => [...new Set(text.match(PLACEHOLDER))];

/** What stands in the way of a release, each with the way out; empty: nothing. */
export function obstacles({ manifest, ...facts }: ReleaseFacts): string[] {
  const { author, homepage, repository, version = '' } = manifest;
  const owned = { 'author.name': author?.name, 'author.email': author?.email, homepage };
  const found = Object.entries({ ...owned, 'repository.url': repository?.url }).flatMap(([name, value]) => {
    if (!value) return [`package.json has no ${name}. Set it.`];
    const isReserved = placeholdersIn(value).length > 0;
    return isReserved ? [`package.json: ${name} is the placeholder ${value}. Use the owner's value.`] : [];
  });
  // npm's provenance, which n8n asks for, is made by GitHub or GitLab only, and n8n reads the source from GitHub.
  if (!/^(git\+)?https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/.test(repository?.url ?? '')) {
    found.push('package.json: repository.url must be https://github.com/<owner>/<name>.git.');
  }
  for (const [file, text] of Object.entries(facts.addressed)) {
    for (const address of placeholdersIn(text.replace(SHOWN, ''))) {
      found.push(`${file} links to the placeholder ${address}. Use the owner's address.`);
    }
  }
  if (facts.lockedVersion !== version) {
    found.push(
      `package-lock.json has version ${facts.lockedVersion}, package.json ${version}. Run "npm install".`,
    );
  }
  const [, unreleased = '', newest = 'missing', date = ''] =
    /^## \[Unreleased\]\s*\n([\s\S]*?)^## \[([^\]]+)\](.*)$/m.exec(facts.changelog) ?? [];
  if (newest !== version || !/^ - \d{4}-\d{2}-\d{2}$/.test(date) || unreleased.trim() !== '') {
    found.push(
      `CHANGELOG.md must begin with an empty "Unreleased", and "## [${version}]" with its date, e.g. " - 2030-01-31".`,
    );
  }
  if (!facts.hasFixtures) {
    found.push(`test/fixtures/workflows/${version} has no saved workflows. Run "npm run fixtures".`);
  }
  return found;
}
