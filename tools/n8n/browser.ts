import { type Browser, type BrowserContext, chromium, type Page, selectors } from 'playwright-core';
import { isLoopback } from '../../nodes/shared/api/credential';
import { ensureProgram } from './processes/programs';
import type { Owner } from './session';
import type { Say } from './stage';

/** How long a busy machine gets to start Chromium, and n8n's editor for a step. */
const STEP_MS = 120_000;
const CHROMIUM = { names: ['chromium', 'chromium-browser', 'google-chrome'], package: 'chromium' };

/** Starts a headless Chromium, installed by apt-get if the machine has none. Throws a `Halt` when that does not work. */
export async function openBrowser(say: Say): Promise<Browser> {
  // How n8n's editor marks what its own tests look for.
  selectors.setTestIdAttribute('data-test-id');
  return chromium.launch({
    executablePath: await ensureProgram(CHROMIUM, say),
    // Its own sandbox does not work as root, which containers and CI machines are; it opens loopback pages only.
    chromiumSandbox: false,
    timeout: STEP_MS,
  });
}

/** A fresh browser profile that reaches nothing but this machine and accepts the throw-away certificate, logged in to an n8n at `editorUrl`. */
export async function logIn(
  browser: Browser,
  editorUrl: string,
  owner: Owner,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1440, height: 860 },
  });
  context.setDefaultTimeout(STEP_MS);
  context.setDefaultNavigationTimeout(STEP_MS);
  // The editor asks its makers and the registry about what is installed.
  await context.route(
    ({ hostname }) => hostname !== '' && !isLoopback(hostname),
    (route) => route.abort(),
  );
  const page = await context.newPage();
  await page.goto(`${editorUrl}/signin`);
  await page.locator('input[name="emailOrLdapLoginId"]').fill(owner.email);
  await page.locator('input[name="password"]').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/(home|workflow)/);
  return { context, page };
}
