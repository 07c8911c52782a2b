import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Session } from '../../../../tools/n8n/session';
import { importWorkflow } from '../../../../tools/n8n/workflows';
import { readExamples, UPLOAD } from '../../../../tools/demo/workflows';
import type { Editor } from './editor';

/** The folder that n8n may read files from. */
export const DOCUMENTS = join(__dirname, '../../../../examples/documents');

const TYPED = 'õunaaed elek';
const COMPANY = 'Õunaaed Elekter FIE';

/** Imports the example of the document pipeline with nothing chosen but one file to read; gives its id. */
export async function pipelineWithoutChoices(session: Session): Promise<string> {
  const example = (await readExamples()).get(UPLOAD.file);
  assert.ok(example, UPLOAD.file);
  const nodes = example.nodes.map((node) =>
    node.type === 'n8n-nodes-base.readWriteFile'
      ? {
          ...node,
          parameters: { ...node.parameters, fileSelector: join(DOCUMENTS, 'invoice-INV-20417.pdf') },
        }
      : node,
  );
  return (await importWorkflow(session, { ...example, nodes })).id;
}

/** Picks the company of the open node by typing, runs the node, and sees the document. */
export async function uploadByHand(editor: Editor): Promise<void> {
  const { page } = editor;
  const company = page.getByTestId('resource-locator-companyId');
  await company.getByTestId('rlc-input').first().click();
  await page.getByTestId('rlc-item').first().waitFor();
  await page.keyboard.type(TYPED);
  const found = page.getByTestId('rlc-item').filter({ hasText: COMPANY });
  await found.waitFor();
  await page.getByTestId('rlc-item').nth(1).waitFor({ state: 'detached' });
  await found.click();
  await page.getByTestId('node-execute-button').click();
  await editor.output.getByText(/^doc_/).first().waitFor();
  await editor.output.getByText(/Success Branch \(1 item\)/).waitFor();
}
