import { Halt } from '../n8n/halt';
import { OWNER, type Undo } from '../n8n/stage';
import { followDocuments, importExamples, listen, setDemoStage } from './demo';
import { type DemoOptions, readOptions, USAGE } from './options';
import { arrived, table } from './table';

const started = Date.now();

/** One line of progress with the seconds since the start. */
function say(line: string): void {
  console.log(`[${String(Math.round((Date.now() - started) / 1000)).padStart(4)} s] ${line}`);
}

/** Resolves at the first Ctrl-C or SIGTERM; later ones change nothing, since the way back is under way. */
const interrupted = new Promise<'interrupted'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve('interrupted'));
});

/** Takes back what was set up, step by step; a step that does not work is told and the others still run. */
async function goBack(undo: Undo): Promise<boolean> {
  let clean = true;
  for (const step of undo.splice(0).reverse()) {
    try {
      await step();
    } catch (error) {
      clean = false;
      say(`While stopping: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return clean;
}

/** Runs the demo up to its table; gives the exit code that the table stands for. */
async function demo(options: DemoOptions, undo: Undo): Promise<number> {
  const stage = await setDemoStage(options, say, undo);
  const workflows = await importExamples(stage, say);
  await listen(stage, workflows.read, say, undo);
  const journeys = await followDocuments(stage, workflows, say);
  console.log(`\n${table(journeys)}\n`);
  if (!options.once) {
    console.log(`Editor   ${stage.editorUrl}   (the browser warns of the throw-away certificate; go on)
Login    ${OWNER.email} / ${OWNER.password}
Upload   ${stage.editorUrl}/workflow/${workflows.upload}
Agency   ${stage.agency.adminUrl}

Ctrl-C stops everything.`);
  }
  return journeys.every(arrived) ? 0 : 1;
}

async function main(): Promise<void> {
  const undo: Undo = [];
  let exitCode = 130;
  try {
    const options = readOptions(process.argv.slice(2));
    if (options.help) {
      console.log(USAGE);
      return;
    }
    const result = await Promise.race([demo(options, undo), interrupted]);
    if (result !== 'interrupted') {
      exitCode = result;
      if (!options.once) await interrupted;
    }
  } catch (error) {
    exitCode = 1;
    console.error(error instanceof Halt ? `\n${error.message}` : error);
  }
  if (undo.length > 0) {
    say('Stopping n8n and the sandbox ...');
    if (!(await goBack(undo))) exitCode = exitCode || 1;
    say('Everything is stopped.');
  }
  process.exit(exitCode);
}

void main();
