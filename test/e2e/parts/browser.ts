import assert from 'node:assert/strict';
import { askAgency } from '../../../tools/n8n/agency';
import { logIn, openBrowser } from '../../../tools/n8n/browser';
import { createCredential } from '../../../tools/n8n/credentials';
import { OWNER } from '../../../tools/n8n/stage';
import { deactivate, importWorkflow } from '../../../tools/n8n/workflows';
import { fillIn, READ, readExamples, UPLOAD } from '../../../tools/demo/workflows';
import type { Context, Part } from '../part';
import { N8N_2 } from '../variants';
import { administrate } from './browser/admin';
import { approveWhileWaiting } from './browser/approval';
import { makeCredential } from './browser/credential';
import { Editor } from './browser/editor';
import { type GuardedChange, importForms } from './browser/forms';
import { searchNodes } from './browser/search';
import { DOCUMENTS, pipelineWithoutChoices, uploadByHand } from './browser/upload';
import { listenOnce, publish, publishInVain } from './browser/trigger';

async function run({ check, stage: set, undo, say }: Context): Promise<void> {
  const stage = await set({ filesFolder: DOCUMENTS });
  const { agency, session, editorUrl } = stage;
  const chromium = await openBrowser(say);
  undo.push(() => chromium.close());
  const { context, page } = await logIn(chromium, editorUrl, OWNER);
  const editor = new Editor(page, editorUrl, process.env['PICTURES'] === 'yes');

  const upload = await pipelineWithoutChoices(session);
  await check('both nodes are found by name in the nodes panel', async () => {
    await editor.openWorkflow(upload);
    await page.getByTestId('node-creator-plus-button').click();
    await page.getByTestId('node-creator-search-bar').waitFor();
    await page.keyboard.type('accounting agency');
    await page
      .getByTestId('node-creator-item-name')
      .filter({ hasText: /^\s*Accounting Agency\s*$/ })
      .click();
    await page.getByText(/^Actions \(\d+\)/).waitFor();
    await page.getByText(/^Triggers \(\d+\)/).waitFor();
    const entries = page.getByTestId('node-creator-item-name');
    // The panel slides: what was found stays beside the actions until it has left.
    await entries.filter({ hasText: 'Accounting Agency Feed' }).waitFor({ state: 'detached' });
    await entries.filter({ hasText: /^\s*Upload document\s*$/ }).waitFor();
    const listed = await entries.allTextContents();
    assert.match(listed.slice(0, 5).join(), /Upload document/);
  });
  await check('what bookkeepers call their work leads to the node', async () => {
    await editor.openWorkflow(upload);
    await searchNodes(editor);
  });
  await check('the credential’s test says what is wrong, and succeeds with the right key', async () => {
    await editor.openWorkflow(upload);
    await editor.openNode(UPLOAD.upload);
    await makeCredential(editor, agency);
  });
  await check('a company is picked by typing, a document uploaded, and the output seen', () =>
    uploadByHand(editor),
  );

  const { data: companies } = await askAgency<{ data: { id: string; name: string }[] }>(
    agency,
    '/companies?limit=1',
  );
  const [company = { id: '', name: '' }] = companies;
  const credentialOf = (name: string, token: string) =>
    createCredential(session, { name, type: 'accountingAgencyApi', data: { address: agency.url, token } });
  const credential = await credentialOf('Accounting Agency', agency.keys.full);
  const settings = await askAgency<GuardedChange>(agency, `/companies/${company.id}/settings`);
  const agent = { mcpEnabled: !settings.agent.mcpEnabled };
  const forms = await importForms(session, credential, { companyId: company.id, agent });
  await check('an error is shown with its reason and the way out', async () => {
    await editor.openWorkflow(forms);
    await editor.openNode('Unknown company');
    await page.getByTestId('node-execute-button').click();
    await editor.output.getByText('Company "').first().waitFor();
    await editor.output.getByText('Check the ID').first().waitFor();
    await editor.picture('error');
    await editor.output.getByText('From Accounting Agency').click();
    await editor.output.getByText('req_').first().waitFor();
  });
  await check('the settings form has the five policy fields', async () => {
    await editor.openWorkflow(forms);
    await editor.openNode('Update settings');
    await editor.picture('settings-form');
    for (const field of ['Warehouse', 'Type', 'Journal', 'Allocation', 'VAT Class'])
      await page.getByText(field, { exact: true }).filter({ visible: true }).first().waitFor();
  });
  await check('a change waits until an administrator has approved it', async () => {
    await editor.openWorkflow(forms);
    await editor.openNode('Guarded change');
    await approveWhileWaiting(editor, context, agency);
  });
  await check('a new webhook endpoint tells about its secret', async () => {
    await editor.openWorkflow(forms);
    await editor.openNode('Create endpoint');
    await page.getByText('returns the signing secret once').waitFor();
  });
  await check('an AI agent’s tool offers no webhook endpoints', async () => {
    await editor.openWorkflow(forms);
    await editor.openNode('Tool');
    const offered = await editor.optionsOf('resource');
    assert.ok(offered.length >= 8, offered.join(', '));
    assert.deepEqual(
      offered.filter((text) => text.includes('Webhook')),
      [],
    );
  });

  const example = (await readExamples()).get(READ.file);
  assert.ok(example, READ.file);
  const readonly = await credentialOf('Accounting Agency, reading only', agency.keys.readonly);
  const refused = fillIn(example, { credential: readonly, company, folder: DOCUMENTS });
  const { id: unpublishable } = await importWorkflow(session, refused);
  await check('a publication that the agency refuses says what the key lacks', async () => {
    await editor.openWorkflow(unpublishable);
    await publishInVain(editor, stage);
  });
  const filled = fillIn(example, { credential, company, folder: DOCUMENTS });
  const { id: read } = await importWorkflow(session, filled);
  await check('a trigger listens for a test event and shows it', async () => {
    await editor.openWorkflow(read);
    await editor.openNode(READ.trigger);
    await editor.picture('trigger');
    await listenOnce(editor, stage, company.id);
  });
  await check('a workflow is published by its button', async () => {
    await editor.openWorkflow(read);
    await publish(editor, stage, read);
  });
  await check('the page of the sandbox shows what happens, and takes an approval', () =>
    administrate(context, agency, company.id),
  );
  await deactivate(session, read);
  await check('the console has nothing to say about this package', async () =>
    assert.deepEqual(editor.complaints, []),
  );
}

/** What a person does in n8n's editor. With `PICTURES=yes` it keeps the pictures of the documentation. */
export const browser: Part = { name: 'browser', on: [N8N_2], run };
