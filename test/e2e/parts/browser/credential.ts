import assert from 'node:assert/strict';
import type { Agency } from '../../../../tools/n8n/agency';
import type { Editor } from './editor';

/** An address of this machine at which nothing listens. */
const NOBODY = 'http://127.0.0.1:9';

/** Fills in the open credential, saves it, and sees the reason that its test gives. */
async function seeRefused(editor: Editor, address: string, token: string, reason: RegExp): Promise<void> {
  const { page } = editor;
  const modal = page.getByTestId('editCredential-modal');
  await modal.getByTestId('parameter-input-address').locator('input').fill(address);
  await modal.getByTestId('parameter-input-token').locator('input').fill(token);
  const tested = page.waitForResponse(/\/rest\/credentials\/test$/);
  await modal.getByTestId('credential-save-button').click();
  await tested;
  await editor.settle();
  await modal.getByText('Couldn’t connect with these settings').filter({ visible: true }).waitFor();
  // A reason that was unfolded once stays so.
  const more = modal.getByText('More details').filter({ visible: true });
  if (await more.isVisible()) await more.click();
  // Until the answer is drawn, the reason before it is still there.
  await modal.getByText(reason).filter({ visible: true }).first().waitFor();
}

/** Makes the credential from the open node: with a wrong key, then a wrong address, then the right ones. */
export async function makeCredential(editor: Editor, agency: Agency): Promise<void> {
  const { page } = editor;
  await page.getByTestId('node-credentials-empty-state').getByRole('button').first().click();
  await seeRefused(editor, agency.url, 'aa_live_wrong', /does not accept this key/);
  await editor.picture('credential-wrong-key');
  await seeRefused(editor, NOBODY, agency.keys.full, /refused/i);

  const modal = page.getByTestId('editCredential-modal');
  await modal.getByTestId('parameter-input-address').locator('input').fill(agency.url);
  const tested = page.waitForResponse(/\/rest\/credentials\/test$/);
  await modal.getByTestId('credential-save-button').click();
  const { data } = (await (await tested).json()) as { data: { status: string; message: string } };
  assert.equal(data.status, 'OK', data.message);
  // The editor closes a credential whose test succeeded.
  await modal.waitFor({ state: 'hidden' });
}
