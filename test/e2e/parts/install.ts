import { deepEqual, equal, match } from 'node:assert/strict';
import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { askAgency } from '../../../tools/n8n/agency';
import { createCredential, type Credential, testCredential } from '../../../tools/n8n/credentials';
import { finishedExecution, runWorkflow } from '../../../tools/n8n/executions';
import { installPackage, repack, uninstallPackage } from '../../../tools/n8n/package';
import type { Stage } from '../../../tools/n8n/stage';
import { activate, deactivate, importWorkflow } from '../../../tools/n8n/workflows';
import type { Context, Part } from '../part';
import { control, keptEndpoints } from '../support/agency';
import { eventArrives } from '../support/events';
import { installedPackages, onlyThePackage, PACKAGE, servedNames, servesIcons } from '../support/installed';
import { startService } from '../support/service';
import { INSTALL_COMMANDS, installByHand } from '../../support/install-commands';
import { openStage } from '../support/stages';
import {
  BY_HAND,
  failingWorkflow,
  LIST,
  listeningWorkflow,
  NEXT,
  UPLOAD,
  uploadWorkflow,
} from '../support/workflows';
import { N8N_1, N8N_2, N8N_LEAST } from '../variants';

const ROOT = join(__dirname, '../../..');
const DOCUMENTS = join(ROOT, 'examples/documents');
const TYPES = [
  'accountingAgencyApi',
  `${PACKAGE}.accountingAgency`,
  `${PACKAGE}.accountingAgencyFeedTrigger`,
  `${PACKAGE}.accountingAgencyTrigger`,
];
const SUCCESS = /^Connection successful!$/;

/** Installing, using, upgrading and uninstalling the package as a person does. */
export const install: Part = {
  name: 'install',
  on: [N8N_2, N8N_1, N8N_LEAST],
  run,
};

async function run(context: Context): Promise<void> {
  const { check, undo, variant } = context;
  const stage = await openStage(context, { filesFolder: DOCUMENTS });
  const { agency, dataFile, session, userFolder } = stage;
  await check("n8n's steps install the package, and nothing else", () => onlyThePackage(userFolder));
  await check('both nodes and the credential are there', async () =>
    deepEqual(await servedNames(session), TYPES),
  );
  await check('each has a light and a dark icon', () => servesIcons(session));
  const page = await startService(undo, { status: 200, type: 'text/html', body: '<title>A page</title>' });
  const other = await startService(undo, { status: 404, type: 'application/json', body: '{"code":404}' });
  await check("the credential's test tells what is wrong", () => credentialTests(stage, page));
  if (variant === N8N_2) {
    await check("the credential's test tells another service's 404", () =>
      says(stage, [other, agency.keys.full], /./),
    );
  } else {
    await check("the credential's test cannot tell another service's 404, as the docs say", () =>
      says(stage, [other, agency.keys.full], SUCCESS, 'OK'),
    );
  }
  const credential = await saved(stage, agency.url, agency.keys.full);
  const workflows = await check('a file is uploaded and listed', () => uploads(stage, credential));
  if (workflows === undefined) return;
  await check('an upgrade keeps the workflows working', async () => {
    const listening = await importWorkflow(session, listeningWorkflow(credential));
    equal((await activate(session, listening.id)).active, true);
    await eventArrives(stage, listening.id);
    await installPackage(await repack(context.tarball, '99.0.0', userFolder), userFolder);
    await stage.restart('stop');
    const manifest = join(userFolder, '.n8n/nodes/node_modules', PACKAGE, 'package.json');
    match(await readFile(manifest, 'utf8'), /"version": "99\.0\.0"/);
    equal(keptEndpoints(dataFile).length, 1);
    await eventArrives(stage, listening.id);
    await runs(stage, workflows);
    await deactivate(session, listening.id);
  });
  await check('uninstalling leaves nothing', async () => {
    await uninstallPackage(PACKAGE, userFolder);
    await stage.restart('stop');
    deepEqual(await installedPackages(userFolder), []);
    deepEqual(await servedNames(session), []);
    deepEqual(keptEndpoints(dataFile), []);
  });
  for (const command of INSTALL_COMMANDS) {
    await check(`"${command}" installs it beside another copy of n8n-workflow`, async () => {
      const nodes = join(userFolder, '.n8n/nodes');
      await rm(nodes, { recursive: true });
      await installByHand(command, { tarball: context.tarball, home: userFolder, node: stage.host.node });
      deepEqual((await installedPackages(userFolder)).filter(isPackage), [PACKAGE]);
      // As another package that was installed by hand brings it; the tests' own copy is not the n8n's.
      await symlink(join(ROOT, 'node_modules/n8n-workflow'), join(nodes, 'node_modules/n8n-workflow'));
      await stage.restart('stop');
      deepEqual(await servedNames(session), TYPES);
      await runs(stage, workflows);
      await failsByTheErrorOutput(stage, credential);
    });
  }
}

/** npm keeps notes of its own beside the packages. */
const isPackage = (name: string): boolean => !name.startsWith('.');

async function credentialTests(stage: Stage, page: string): Promise<void> {
  const { agency } = stage;
  const { key: scopeless } = await control<{ key: string }>(agency, 'keys', { scopes: [], companies: 'all' });
  const { url, keys } = agency;
  const notAccepted = /^The agency does not accept this key\. It may be mistyped, revoked or expired/;
  await says(stage, [url, keys.full], SUCCESS, 'OK');
  await says(stage, [` ${url}/api/v1/ `, keys.full], SUCCESS, 'OK');
  await says(stage, [url, scopeless], SUCCESS, 'OK');
  await says(stage, [url, 'mistyped'], notAccepted);
  await says(stage, [url, keys.revoked], notAccepted);
  await says(stage, [url, keys.foreign], notAccepted);
  await says(stage, [page, keys.full], /not from the agency's API/);
  await control(agency, 'plan', { apiAccess: false });
  await says(stage, [url, keys.full], /plan of this agency does not include API access/);
  await control(agency, 'plan', { apiAccess: true });
}

async function says(
  stage: Stage,
  [address, token]: [string, string],
  message: RegExp,
  status: 'OK' | 'Error' = 'Error',
): Promise<void> {
  const result = await testCredential(stage.session, await saved(stage, address, token));
  deepEqual([result.status, message.test(result.message)], [status, true], JSON.stringify(result));
}

const saved = ({ session }: Stage, address: string, token: string): Promise<Credential> =>
  createCredential(session, {
    name: 'Accounting Agency account',
    type: 'accountingAgencyApi',
    data: { address, token },
  });

async function uploads(stage: Stage, credential: Credential): Promise<string> {
  const { data } = await askAgency<{ data: { id: string }[] }>(stage.agency, '/companies?limit=1');
  const file = uploadWorkflow(credential, data[0]?.id ?? '', join(DOCUMENTS, 'arve-2026-0914.pdf'));
  const { id } = await importWorkflow(stage.session, file);
  await runs(stage, id);
  return id;
}

async function failsByTheErrorOutput({ session }: Stage, credential: Credential): Promise<void> {
  const { id } = await importWorkflow(session, failingWorkflow(credential));
  const execution = await finishedExecution(session, await runWorkflow(session, id, BY_HAND), {
    seconds: 180,
  });
  deepEqual([execution.items(NEXT, 0).length, execution.items(NEXT, 1).length], [0, 1]);
}

/** Runs the uploading workflow, and throws unless the filed document is in the list. */
async function runs({ session }: Stage, workflow: string): Promise<void> {
  const id = await runWorkflow(session, workflow, BY_HAND);
  const execution = await finishedExecution(session, id, { seconds: 180 });
  equal(execution.error, undefined);
  const [filed] = execution.items(UPLOAD);
  equal(filed?.json['name'], 'arve-2026-0914.pdf');
  const listed = execution.items(LIST).map(({ json }) => json['id']);
  equal(listed.includes(filed?.json['id']), true, 'The filed document is not in the list.');
}
