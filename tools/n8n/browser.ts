import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, selectors } from 'playwright-core';
import { run } from './process';
import type { Owner } from './session';

/** Where Debian's package, and other systems' packages, put the browser. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

/** Starts a headless Chromium, installed by apt-get if the machine has none. Throws a `Halt` when that does not work. */
export async function openBrowser(say: (line: string) => void): Promise<Browser> {
  // How n8n's editor marks what its own tests look for.
  selectors.setTestIdAttribute('data-test-id');
  return chromium.launch({
    executablePath: await ensureChromium(say),
    // Chromium does not run its own sandbox as root, which containers and CI machines are.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** A fresh browser profile that accepts the throw-away certificate, logged in to an n8n at `editorUrl`. */
export async function logIn(
  browser: Browser,
  editorUrl: string,
  owner: Owner,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1440, height: 860 },
  });
  const page = await context.newPage();
  await page.goto(`${editorUrl}/signin`);
  await page.locator('input[name="emailOrLdapLoginId"]').fill(owner.email);
  await page.locator('input[name="password"]').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/(home|workflow)/);
  return { context, page };
}

async function ensureChromium(say: (line: string) => void): Promise<string> {
  const found = findProgram(PROGRAMS);
  if (found) return found;
  say('Installing Chromium ...');
  const wayOut = 'Install Chromium by hand, then start again.';
  await run('apt-get', ['update', '-q'], { wayOut });
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { wayOut });
  return findProgram(PROGRAMS) ?? '/usr/bin/chromium';
}

/** The path of the first of some programs that the machine has. */
export function findProgram(names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}
