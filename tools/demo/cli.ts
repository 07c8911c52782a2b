import { type Outcome, type Program, runProgram } from '../n8n/processes/program';
import { OWNER, type Stage } from '../n8n/stage';
import { followDocuments, type Imported, importExamples, listen, setDemoStage } from './demo';
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
    console.log(nextSteps(stage, workflows));
  }
  return { exitCode: journeys.every(arrived) ? 0 : 1, stays: !options.once };
}

const workflowUrl = ({ editorUrl }: Stage, id = '') => `${editorUrl}/workflow/${id}`;

/** Where to look, and three things to try. Each value to copy stands at the end of its line. */
const nextSteps = (stage: Stage, { all, upload }: Imported): string => `Open the upload example in n8n
  ${workflowUrl(stage, upload)}
  Log in with ${OWNER.email} and the password ${OWNER.password}
  The browser warns about the self-signed certificate of this demo. Continue to the page.

Try next
1. Click "Execute workflow" there. Now every file is skipped, because its document already exists: see the agency's page.
     ${stage.agency.adminUrl}
2. Run the example that needs an approval, and approve its change on the same page.
     ${workflowUrl(stage, all.get('guarded-settings-change.json'))}
3. Build your own workflow: add the node "Accounting Agency", with a credential for this agency.
     Agency address  ${stage.agency.url}
     API key         ${stage.agency.keys.full}

Press Ctrl-C to stop everything.`;

void runProgram(demo);
