import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Locator } from 'playwright-core';
import { type Agency, askAgency } from '../../../../tools/n8n/agency';
import { waitFor } from '../../../../tools/n8n/processes/process';
import { documentArrives } from '../../support/agency';

const FILE = 'arve-78.txt';

interface Settings {
  agent: { mcpEnabled: boolean };
}

/** Asks for a change that an administrator has to approve; gives the link for it. */
async function askForApproval(agency: Agency, path: string, agent: Settings['agent']): Promise<string> {
  const response = await fetch(`${agency.url}/api/v1${path}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${agency.keys.full}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ agent }),
  });
  const answer = (await response.json()) as { error: { code: string; details: { approvalUrl: string } } };
  assert.equal(answer.error.code, 'APPROVAL_REQUIRED');
  return answer.error.details.approvalUrl;
}

/** Looks at the sandbox's page for administrators again and again until this is on it, once. */
export async function seeOnAdminPage({ adminUrl }: Agency, what: string, it: Locator): Promise<void> {
  await waitFor(
    `the page to show ${what}`,
    async () => {
      await it.page().goto(adminUrl);
      return (await it.count()) === 1 || undefined;
    },
    { seconds: 120 },
  );
}

/** Watches the sandbox's page for administrators while a document arrives, and approves a change by its button. */
export async function administrate(
  context: BrowserContext,
  agency: Agency,
  companyId: string,
): Promise<void> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const path = `/companies/${encodeURIComponent(companyId)}/settings`;
  const { agent } = await askAgency<Settings>(agency, path);
  const link = await askForApproval(agency, path, { mcpEnabled: !agent.mcpEnabled });
  await documentArrives(agency, companyId, FILE);

  const rows = (label: string) => page.getByRole('table', { name: label }).getByRole('row');
  const delivered = rows('Webhook deliveries')
    .filter({ hasText: 'document.ocr_completed' })
    .filter({ hasText: 'succeeded' });
  await seeOnAdminPage(agency, 'that the event was delivered', delivered);
  assert.equal(await rows('Newest documents').filter({ hasText: FILE }).count(), 1);
  assert.equal(await page.getByRole('article').filter({ hasText: 'mcpEnabled' }).count(), 1);

  await page.goto(link);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The workflow can make this change once').waitFor();
  await page.goto(agency.adminUrl);
  await page.getByText('No pending approvals.').waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
}
