import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { askAgency } from '../../../tools/n8n/agency';
import { createCredential, type Credential, testCredential } from '../../../tools/n8n/credentials';
import { finishedExecution, listExecutions, runWorkflow } from '../../../tools/n8n/executions';
import { activate, importWorkflow, readWorkflow } from '../../../tools/n8n/workflows';
import type { Context, Part } from '../part';
import { keptEndpoints } from '../support/agency';
import { eventArrives } from '../support/events';
import { type OpenStage, openStage } from '../support/stages';
import { BY_HAND, listeningWorkflow, UPLOAD, uploadWorkflow } from '../support/workflows';
import { N8N_1, N8N_2 } from '../variants';

const DOCUMENTS = join(__dirname, '../../../examples/documents');
/** n8n 1.x has no such protection. */
const SSRF_PROTECTION = {
  N8N_SSRF_PROTECTION_ENABLED: 'true',
  N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
};

/** What whoever looks into an n8n must not find, and what an administrator who guards its network must not break. */
export const neighbours: Part = {
  name: 'neighbours',
  on: [N8N_2, N8N_1],
  run,
};

async function run(context: Context): Promise<void> {
  const { check, variant } = context;
  const log: string[] = [];
  const stage = await openStage(context, {
    filesFolder: DOCUMENTS,
    environment: { N8N_LOG_LEVEL: 'debug', ...(variant === N8N_2 && SSRF_PROTECTION) },
    onLine: (line) => log.push(line),
  });
  const { agency, session } = stage;
  const good = await saved(stage, agency.url, agency.keys.full);
  const revoked = await saved(stage, agency.url, agency.keys.revoked);
  const { id: listening } = await importWorkflow(session, listeningWorkflow(good));
  const guarded = variant === N8N_2 ? ", also with n8n's SSRF protection on" : '';
  const executions = await check(`upload and events work${guarded}`, async () => {
    const uploaded = await upload(stage, good);
    equal(uploaded.items(UPLOAD).length, 1, JSON.stringify(uploaded.runs(UPLOAD)[0]?.error));
    deepEqual(await activate(session, listening), { active: true, messages: [] });
    await eventArrives(stage, listening);
    const refused = await upload(stage, revoked);
    match(refused.error ?? '', /key/);
    return [uploaded.id, refused.id, ...(await listExecutions(session, listening)).map(({ id }) => id)];
  });
  if (variant === N8N_2) {
    await check("n8n's SSRF protection is on in this", async () => {
      const outside = await saved(stage, 'https://10.0.0.1', agency.keys.full);
      match((await testCredential(session, outside)).message, /blocked|not allowed|restricted|private/i);
    });
  }
  const [endpoint] = keptEndpoints(stage.dataFile);
  ok(endpoint, 'The agency has no endpoint.');
  const secrets = [agency.keys.full, agency.keys.revoked, endpoint.secret.replace('whsec_', '')];
  await check('execution data holds neither key nor signing secret', async () => {
    for (const id of executions ?? []) {
      hidesAll(withoutStaticData(await session.read('GET', `/rest/executions/${id}`)), secrets);
    }
    ok((executions ?? []).length >= 3);
  });
  await check("n8n's log, its debug lines included, holds neither", async () => {
    ok(log.length > 20);
    hidesAll(log.join('\n'), secrets);
  });
  await check("n8n's answers about credentials do not hold the key", async () =>
    hidesAll(await session.read('GET', `/rest/credentials/${good.id}?includeData=true`), secrets),
  );
  await check('the signing secret is in the static data only', async () => {
    const { staticData, ...rest } = await readWorkflow(session, listening);
    match(JSON.stringify(staticData), /whsec_/);
    hidesAll(JSON.stringify(rest), secrets);
  });
}

/** n8n 1.x keeps a copy of the workflow, static data included, with each of its executions. */
function withoutStaticData(json: string): string {
  return JSON.stringify(JSON.parse(json, (key, value) => (key === 'staticData' ? undefined : value)));
}

function hidesAll(text: string, secrets: string[]): void {
  deepEqual(
    secrets.map((secret) => text.includes(secret)),
    secrets.map(() => false),
  );
}

const saved = ({ session }: OpenStage, address: string, token: string): Promise<Credential> =>
  createCredential(session, {
    name: 'Accounting Agency account',
    type: 'accountingAgencyApi',
    data: { address, token },
  });

async function upload({ agency, session }: OpenStage, credential: Credential) {
  const { data } = await askAgency<{ data: { id: string }[] }>(agency, '/companies?limit=1');
  const file = uploadWorkflow(credential, data[0]?.id ?? '', join(DOCUMENTS, 'kviitung-kohvik.png'));
  const { id } = await importWorkflow(session, file);
  return finishedExecution(session, await runWorkflow(session, id, BY_HAND), { seconds: 180 });
}
