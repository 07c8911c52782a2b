import { type Outcome, type Program, runProgram } from '../n8n/program';
import { OWNER } from '../n8n/stage';
import { followDocuments, importExamples, listen, setDemoStage } from './demo';
import { readOptions, USAGE } from './options';
import { arrived, table } from './table';

/** Runs the demo up to its table; the exit code says whether every file made it. */
async function demo({ say, undo }: Program): Promise<Outcome> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    return { exitCode: 0, stays: false };
  }
  const stage = await setDemoStage(options, say, undo);
  const workflows = await importExamples(stage, say);
  await listen(stage, workflows.read, say, undo);
  const journeys = await followDocuments(stage, workflows, say);
  console.log(`\n${table(journeys)}\n`);
  if (!options.once) {
    console.log(`Editor   ${stage.editorUrl}   (the browser warns of the throw-away certificate; go on)
Login    ${OWNER.email} / ${OWNER.password}
Upload   ${stage.editorUrl}/workflow/${workflows.upload}
Agency   ${stage.agency.url}   (its admin page: ${stage.agency.adminUrl})
Key      ${stage.agency.keys.full}   (for a credential of your own, with the agency's address)

Ctrl-C stops everything.`);
  }
  return { exitCode: journeys.every(arrived) ? 0 : 1, stays: !options.once };
}

void runProgram(demo);
