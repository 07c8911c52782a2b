import type { BrowserContext } from 'playwright-core';
import type { Agency } from '../../../../tools/n8n/agency';
import { seeOnAdminPage } from './admin';
import type { Editor } from './editor';

/** Runs the open node, which waits for an approval, gives it at the agency meanwhile, and sees the node go on. */
export async function approveWhileWaiting(
  editor: Editor,
  context: BrowserContext,
  agency: Agency,
): Promise<void> {
  await editor.page.getByTestId('node-execute-button').click();
  const page = await context.newPage();
  const request = page.getByRole('article').filter({ hasText: 'mcpEnabled' });
  await seeOnAdminPage(agency, 'the request', request);
  await request.getByRole('button', { name: 'Approve' }).click();
  // The node may make the change before the browser has the page.
  await page.getByText(/The workflow can make this change once|The change was made/).waitFor();
  await page.close();
  await editor.output.getByText('mcpEnabled').first().waitFor();
}
