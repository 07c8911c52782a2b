import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Session } from '../n8n/session';
import { importWorkflow } from '../n8n/workflows';

const DOCUMENTS = join(__dirname, '../../examples/documents');
const NAME = 'invoice-INV-20417.pdf';
const ATTACHMENT = 'Attachment';

/** Runs in the page: a headless browser shows no pointer. */
const SHOW_POINTER = `
  const pointer = document.createElement('div');
  pointer.style.cssText =
    'position: fixed; z-index: 99999; pointer-events: none; width: 18px; height: 18px; margin: -9px; border-radius: 50%; background: #0009';
  document.body.append(pointer);
  const follow = ({ clientX, clientY }) =>
    Object.assign(pointer.style, { left: clientX + 'px', top: clientY + 'px' });
  window.addEventListener('mousemove', follow, true);
`;

/** Imports a workflow that has an invoice, and does nothing with it yet; gives its ID. */
export async function importInvoice(session: Session): Promise<string> {
  const file = (await readFile(join(DOCUMENTS, NAME))).toString('base64');
  const assignments = [{ id: 'file', name: 'file', type: 'string', value: file }];
  const options = { fileName: NAME, mimeType: 'application/pdf' };
  const { id } = await importWorkflow(session, {
    name: 'File an invoice',
    nodes: [
      node('Start', 'n8n-nodes-base.manualTrigger', 1, 0, {}),
      node('Email', 'n8n-nodes-base.set', 3.4, 200, { assignments: { assignments }, options: {} }),
      node(ATTACHMENT, 'n8n-nodes-base.convertToFile', 1.1, 400, {
        operation: 'toBinary',
        sourceProperty: 'file',
        options,
      }),
    ],
    connections: { Start: leadTo('Email'), Email: leadTo(ATTACHMENT) },
  });
  return id;
}

const leadTo = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });

const node = (
  name: string,
  type: string,
  typeVersion: number,
  x: number,
  parameters: Record<string, unknown>,
) => ({
  id: name,
  name,
  type,
  typeVersion,
  position: [x, 0] as [number, number],
  parameters,
});

/** Opens the workflow of `importInvoice` and runs it, so that the invoice is there to be filed. */
export async function openInvoice(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByTestId('canvas-node').first().waitFor();
  await page.getByTestId('execute-workflow-button').click();
  await page.locator(`[data-node-name="${ATTACHMENT}"]`).getByTestId('canvas-node-status-success').waitFor();
  await page.evaluate(SHOW_POINTER);
  await page.waitForTimeout(5_000);
}

/** Searches the node, picks action and company, and files the invoice, for somebody who watches. */
export async function fileInvoice(page: Page): Promise<void> {
  const look = async (milliseconds = 500) => await page.waitForTimeout(milliseconds);
  const click = async (target: Locator) => {
    await target.waitFor();
    const { x = 0, y = 0, width = 0, height = 0 } = (await target.boundingBox()) ?? {};
    await page.mouse.move(x + Math.min(width / 2, 80), y + height / 2, { steps: 10 });
    await look(200);
    await target.click();
  };
  const type = async (text: string) => await page.keyboard.type(text, { delay: 60 });
  const entry = (text: string | RegExp) =>
    page.getByTestId('node-creator-item-name').filter({ hasText: text });

  await look();
  await click(page.locator(`[data-node-name="${ATTACHMENT}"]`).getByTestId('canvas-handle-plus'));
  await page.getByTestId('node-creator-search-bar').waitFor();
  await type('invoice');
  await entry(/^\s*Accounting Agency\s*$/).waitFor();
  await look();
  await click(entry(/^\s*Accounting Agency\s*$/));
  await look();
  await click(entry('Upload document'));
  await click(page.getByTestId('resource-locator-companyId').getByTestId('rlc-input').first());
  await page.getByTestId('rlc-item').first().waitFor();
  await type('õunaaed');
  const company = page.getByTestId('rlc-item').filter({ hasText: 'Õunaaed Elekter' });
  await page.getByTestId('rlc-item').filter({ hasNotText: 'Õunaaed' }).first().waitFor({ state: 'detached' });
  await look();
  await click(company);
  await look();
  await click(page.getByTestId('node-execute-button'));
  await page.getByTestId('output-panel').getByText(/^doc_/).first().waitFor();
  await look();
}
