import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { equal, ok } from 'node:assert/strict';
import type { Session } from '../../../tools/n8n/session';

export const PACKAGE = 'n8n-nodes-accounting-agency';

interface Served {
  name: string;
  iconUrl?: string | { light: string; dark: string };
}

/** What is in the folder where n8n keeps its community packages. */
export const installedPackages = (userFolder: string): Promise<string[]> =>
  readdir(join(userFolder, '.n8n/nodes/node_modules'));

/** Throws unless the folder holds the package alone, with nothing that npm brought along. */
export async function onlyThePackage(userFolder: string): Promise<void> {
  equal(String(await installedPackages(userFolder)), PACKAGE);
  const inside = await readdir(join(userFolder, '.n8n/nodes/node_modules', PACKAGE));
  equal(String(inside.sort()), 'LICENSE.md,README.md,dist,package.json');
  await access(join(userFolder, '.n8n/nodes/package.json'));
}

/** The names of the node types and credential types of this package that n8n serves to its editor. */
export async function servedNames(session: Session): Promise<string[]> {
  return (await served(session)).map(({ name }) => name).sort();
}

/** Throws unless n8n serves a light and a dark icon for each node type and credential type of this package. */
export async function servesIcons(session: Session): Promise<void> {
  for (const { name, iconUrl } of await served(session)) {
    ok(typeof iconUrl === 'object', `${name} has no pair of icons`);
    for (const url of [iconUrl.light, iconUrl.dark]) {
      const text = await session.read('GET', `/${url.replace(/^\//, '')}`);
      ok(text.includes('<svg'), `${url} is no icon`);
    }
  }
}

async function served(session: Session): Promise<Served[]> {
  const read = async (path: string) => JSON.parse(await session.read('GET', path)) as Served[];
  const nodes = (await read('/types/nodes.json')).filter(({ name }) => name.startsWith(`${PACKAGE}.`));
  const credentials = (await read('/types/credentials.json')).filter(
    ({ name }) => name === 'accountingAgencyApi',
  );
  // n8n makes the tool of an action node out of that node.
  return [...nodes.filter(({ name }) => !name.endsWith('Tool')), ...credentials];
}
