/** What a release is judged by. */
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
  /** Changed and unknown files, as `git status --porcelain` lists them. */
  changes: string[];
  /** Commit that is to be released, and the one that the version's tag names, if there is one. */
  commit: string;
  taggedCommit: string | undefined;
  /** Whether saved workflows of this version are kept as fixtures. */
  hasFixtures: boolean;
}

/** Domains that are reserved for documentation and tests (RFC 2606, RFC 6761). */
const RESERVED = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/i;

/** A web or mail address, with its host as the group. */
const ADDRESS = /(?:https?:\/\/|mailto:|[\w.+-]+@)([a-z0-9.-]*[a-z0-9])/gi;

/** The addresses of a text that lead nowhere. */
export function placeholdersIn(text: string): string[] {
  const found = [...text.matchAll(ADDRESS)];
  return [...new Set(found.filter(([, host = '']) => RESERVED.test(host)).map(([address]) => address))];
}

/** What stands in the way of a release, each with the way out; empty: nothing. */
export function obstacles(facts: ReleaseFacts): string[] {
  return [...ownership(facts), ...addresses(facts), ...versions(facts), ...state(facts)];
}

function ownership({ manifest: { author, homepage, repository } }: ReleaseFacts): string[] {
  const parts: [string, string | undefined][] = [
    ['author.name', author?.name],
    ['author.email', author?.email],
    ['homepage', homepage],
    ['repository.url', repository?.url],
  ];
  const missing = parts
    .filter(([, value]) => value === undefined || value === '')
    .map(([name]) => `package.json has no ${name}. Set it.`);
  const reserved = parts
    .filter(([, value]) => value !== undefined && placeholdersIn(value).length > 0)
    .map(([name, value]) => `package.json: ${name} is the placeholder ${value}. Set the owner's.`);
  // npm's provenance, which n8n asks for, is made by GitHub or GitLab only, and n8n reads the source from GitHub.
  const isOnGitHub = /^(git\+)?https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/.test(repository?.url ?? '');
  return [
    ...missing,
    ...reserved,
    ...(isOnGitHub ? [] : ['package.json: repository.url must be https://github.com/<owner>/<name>.git.']),
  ];
}

/** Examples that a person reads and does not open, such as the placeholder of a form. */
const SHOWN = /https:\/\/agency\.example(?![\w/-])/g;

function addresses({ addressed }: ReleaseFacts): string[] {
  return Object.entries(addressed).flatMap(([file, text]) =>
    placeholdersIn(text.replace(SHOWN, '')).map(
      (address) => `${file} leads to the placeholder ${address}. Set the owner's.`,
    ),
  );
}

function versions({ manifest: { version = '' }, lockedVersion, changelog }: ReleaseFacts): string[] {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    return [`package.json: version "${version}" is not of the form 1.2.3. Set it.`];
  }
  const headings = [...changelog.matchAll(/^## \[([^\]]+)\](.*)$/gm)];
  const unreleased = /^## \[Unreleased\]\s*\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog)?.[1] ?? '';
  const [newest] = headings.filter(([, name]) => name !== 'Unreleased');
  return [
    ...(lockedVersion === version
      ? []
      : [`package-lock.json has version ${lockedVersion}, package.json ${version}. Run "npm install".`]),
    ...(newest?.[1] === version
      ? []
      : [
          `CHANGELOG.md: the newest version is ${newest?.[1] ?? 'missing'}, not ${version}. Name the release there.`,
        ]),
    ...(newest === undefined || /^ - \d{4}-\d{2}-\d{2}$/.test(newest[2] ?? '')
      ? []
      : [`CHANGELOG.md: version ${newest[1]} has no date, e.g. "## [${newest[1]}] - 2030-01-31".`]),
    ...(unreleased.trim() === ''
      ? []
      : [`CHANGELOG.md: "Unreleased" still lists changes. Move them to ${version}.`]),
  ];
}

function state({
  manifest: { version = '' },
  changes,
  commit,
  taggedCommit,
  hasFixtures,
}: ReleaseFacts): string[] {
  return [
    ...(changes.length === 0
      ? []
      : [`The working tree has changes (${changes.join(', ')}). Commit them, or take them back.`]),
    ...(taggedCommit === undefined || taggedCommit === commit
      ? []
      : [`The tag v${version} names another commit. Raise the version.`]),
    ...(hasFixtures
      ? []
      : [
          `test/fixtures/workflows/${version} has no saved workflows. Save some with this version (CONTRIBUTING.md).`,
        ]),
  ];
}
