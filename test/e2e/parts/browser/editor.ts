import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

const IMAGES = join(__dirname, '../../../../docs/images');
const OURS = /accounting-?agency/i;

/** n8n's editor as a person uses it. */
export class Editor {
  /** What the browser's console said about this package. */
  readonly complaints: string[] = [];

  constructor(
    readonly page: Page,
    private readonly url: string,
    private readonly keepPictures: boolean,
  ) {
    page.on('pageerror', (error) => this.complaints.push(error.stack ?? error.message));
    page.on('console', (message) => {
      const place = message.location().url;
      // That a request to anywhere else was refused is no complaint.
      if (message.type() !== 'error' || !(place === '' || place.startsWith(url))) return;
      const text = `${message.text()} ${place}`;
      if (OURS.test(text)) this.complaints.push(text);
    });
  }

  /** Opens a saved workflow and waits until its nodes are there. */
  async openWorkflow(id: string): Promise<void> {
    await this.page.goto(`${this.url}/workflow/${id}`);
    await this.page.getByTestId('canvas-node').first().waitFor();
    await this.page.getByTestId('zoom-to-fit').click();
    await this.settle();
  }

  /** Opens a node by its name. */
  async openNode(name: string): Promise<void> {
    await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
    await this.page.getByTestId('node-parameters').waitFor();
    await this.settle();
  }

  /** The options that a dropdown of the open node offers now. */
  async optionsOf(parameter: string): Promise<string[]> {
    await this.page.getByTestId(`parameter-input-${parameter}`).click();
    const offered = this.page.getByTestId('parameter-input-item').filter({ visible: true });
    await offered.first().waitFor();
    const texts = await offered.allTextContents();
    await this.page.keyboard.press('Escape');
    return texts;
  }

  /** The panel with what the open node gave. */
  get output(): Locator {
    return this.page.getByTestId('output-panel');
  }

  /** Keeps a picture of the window for the documentation, when pictures are wanted. */
  async picture(name: string): Promise<void> {
    if (!this.keepPictures) return;
    await this.settle();
    await this.page.screenshot({ path: join(IMAGES, `${name}.png`) });
  }

  /** Panels slide, and icons load, in less than this. */
  settle = (): Promise<void> => this.page.waitForTimeout(700);
}
