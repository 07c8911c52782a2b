import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { name } from '../../package.json';
import { importExamples, setDemoStage } from '../demo/demo';
import { Halt } from '../n8n/processes/halt';
import { run } from '../n8n/processes/process';
import { type Outcome, type Program, runProgram } from '../n8n/processes/program';
import { OWNER, type Say } from '../n8n/stage';
import { onChange } from './watch';

const ROOT = join(__dirname, '../..');

/** What the built package is made of. */
const SOURCES = ['nodes', 'credentials', 'icons'];

/** Builds the package, and puts it in the place of the installed one, where n8n sees it and reloads the nodes. */
async function renew(installed: string, say: Say): Promise<void> {
  try {
    await run('npx', ['gulp', 'build', '--silent'], {
      cwd: ROOT,
      what: 'Building the package',
      resolution: 'Fix this:',
    });
    await cp(join(ROOT, 'dist'), join(installed, 'dist'), { recursive: true });
    say('The package is rebuilt. The editor updates in a moment.');
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    say(error.message);
  }
}

/** Starts the sandbox and an n8n whose nodes follow the sources. */
async function dev({ say, undo }: Program): Promise<Outcome> {
  const stage = await setDemoStage({ editorPort: 0, sandboxPort: 0 }, say, undo, { N8N_DEV_RELOAD: 'true' });
  await importExamples(stage, say);
  const installed = join(stage.userFolder, '.n8n/nodes/node_modules', name);
  const folders = SOURCES.map((folder) => join(ROOT, folder));
  undo.push(await onChange(folders, () => renew(installed, say)));
  console.log(`
Editor   ${stage.editorUrl}   (the browser warns about the self-signed certificate; continue to the page)
Login    ${OWNER.email} / ${OWNER.password}
Agency   ${stage.agency.adminUrl}

When you save a file in ${SOURCES.join(', ')}, the nodes in the editor update. Press Ctrl-C to stop everything.`);
  return { exitCode: 0, stays: true };
}

void runProgram(dev);
