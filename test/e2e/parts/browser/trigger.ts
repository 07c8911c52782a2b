import assert from 'node:assert/strict';
import { endpointsLeft } from '../../../../tools/n8n/agency';
import { waitFor } from '../../../../tools/n8n/processes/process';
import type { Stage } from '../../../../tools/n8n/stage';
import { readWorkflow } from '../../../../tools/n8n/workflows';
import { documentArrives } from '../../support/agency';
import type { Editor } from './editor';

/** Waits until the agency has this many webhook endpoints. */
const endpoints = ({ agency }: Stage, count: number) =>
  waitFor(
    `${count} webhook endpoints at the agency`,
    async () => (await endpointsLeft(agency)) === count || undefined,
    { seconds: 120 },
  );

/** Listens for a test event with the open trigger, and sees it. */
export async function listenOnce(editor: Editor, stage: Stage, companyId: string): Promise<void> {
  await editor.page.getByTestId('trigger-execute-button').click();
  await endpoints(stage, 1);
  await documentArrives(stage.agency, companyId, 'arve-77.txt');
  await editor.output.getByText('document.ocr_completed').first().waitFor();
  await endpoints(stage, 0);
}

async function pressPublish({ page }: Editor): Promise<void> {
  await page.getByTestId('workflow-open-publish-modal-button').click();
  await page.getByTestId('workflow-publish-button').click();
}

/** Publishes the open workflow, whose key may not manage webhooks, and reads why that does not work. */
export async function publishInVain(editor: Editor, stage: Stage): Promise<void> {
  await pressPublish(editor);
  await editor.page
    .getByText('The key lacks the scope webhooks:manage')
    .filter({ visible: true })
    .first()
    .waitFor();
  await editor.picture('publish-refused');
  assert.equal(await editor.page.getByText('Its events now start this workflow').count(), 0);
  await endpoints(stage, 0);
}

/** Publishes the open workflow by its button. */
export async function publish(editor: Editor, stage: Stage, workflow: string): Promise<void> {
  const { page } = editor;
  await pressPublish(editor);
  await page.getByText('Its events now start this workflow').filter({ visible: true }).waitFor();
  await endpoints(stage, 1);
  assert.equal((await readWorkflow(stage.session, workflow)).active, true);
}
