import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../n8n/processes/process';
import type { ReleaseFacts } from './obstacles';

/** Files whose addresses lead the users of the package to its owner. */
const ADDRESSED = [
  'SECURITY.md',
  'CONTRIBUTING.md',
  'credentials/AccountingAgencyApi.credentials.ts',
  'nodes/AccountingAgency/AccountingAgency.node.json',
  'nodes/AccountingAgencyFeedTrigger/AccountingAgencyFeedTrigger.node.json',
  'nodes/AccountingAgencyTrigger/AccountingAgencyTrigger.node.json',
];

/** The commit of a tag, whether the tag has a message of its own or not. */
const TAGGED_COMMIT = '--format=%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)';

/**
 * Reads what a release is judged by.
 *
 * @param root a checkout of this project
 * @throws Halt when git does not work there
 */
export async function readFacts(root: string): Promise<ReleaseFacts> {
  const text = (file: string) => readFileSync(join(root, file), 'utf8');
  const manifest: ReleaseFacts['manifest'] = JSON.parse(text('package.json'));
  const lock: { version?: string } = JSON.parse(text('package-lock.json'));
  const fixtures = join(root, 'test/fixtures/workflows', manifest.version ?? '');
  const [commit = ''] = await git(root, 'rev-parse', 'HEAD');
  const [taggedCommit] = await git(root, 'tag', '--list', TAGGED_COMMIT, `v${manifest.version}`);
  return {
    manifest,
    lockedVersion: lock.version,
    changelog: text('CHANGELOG.md'),
    addressed: Object.fromEntries(ADDRESSED.map((file) => [file, text(file)])),
    changes: (await git(root, 'status', '--porcelain')).map((line) => line.slice(3)),
    commit,
    taggedCommit,
    hasFixtures: existsSync(fixtures) && readdirSync(fixtures).length > 0,
  };
}

async function git(root: string, ...args: string[]): Promise<string[]> {
  const output = await run('git', args, {
    cwd: root,
    what: 'Looking at the checkout',
    resolution: 'Start this in a git checkout of the project.',
  });
  return output.split('\n').filter((line) => line !== '');
}
