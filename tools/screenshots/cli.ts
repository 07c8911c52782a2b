import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { importExamples, setDemoStage } from '../demo/demo';
import { logIn, openBrowser } from '../n8n/browser';
import { type Outcome, type Program, runProgram } from '../n8n/processes/program';
import { OWNER } from '../n8n/stage';
import { fileInvoice, importInvoice, openInvoice } from './first-upload';
import { record } from './recording';

const IMAGES = join(__dirname, '../../docs/images');

/** Opens a workflow in the editor, fitted to the window and without panels, and keeps a picture of it. */
async function picture(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await page.getByTestId('canvas-node').first().waitFor();
  await page.getByTestId('zoom-to-fit').click();
  // The canvas moves to its place, and icons load, in less than this.
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
}

async function takePictures({ say, undo }: Program): Promise<Outcome> {
  await mkdir(IMAGES, { recursive: true });
  const stage = await setDemoStage({ editorPort: 0, sandboxPort: 0 }, say, undo);
  const workflows = await importExamples(stage, say);
  const browser = await openBrowser(say);
  undo.push(() => browser.close());
  const { page } = await logIn(browser, stage.editorUrl, OWNER);
  for (const [file, id] of workflows.all) {
    await picture(page, `${stage.editorUrl}/workflow/${id}`, basename(file, '.json'));
  }
  const invoice = await importInvoice(stage.session);
  await page.setViewportSize({ width: 1200, height: 720 });
  await openInvoice(page, `${stage.editorUrl}/workflow/${invoice}`);
  await record(page, join(IMAGES, 'first-upload.gif'), async () => await fileInvoice(page), say);
  say('The screenshots are in docs/images.');
  return { exitCode: 0, stays: false };
}

void runProgram(takePictures);
