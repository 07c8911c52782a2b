import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Halt } from '../../tools/n8n/processes/halt';
import { ensureHost } from '../../tools/n8n/install';
import { buildAndPack } from '../../tools/n8n/package';
import { type Outcome, type Program, runProgram, takeBack } from '../../tools/n8n/processes/program';
import { setStage } from '../../tools/n8n/stage';
import { readChoice } from './options';
import type { Context, Finding, Part } from './part';
import { PARTS } from './parts';
import { table } from './table';
import type { Variant } from './variants';

const REASON_LINES = 40;

/** Why something did not hold, with what caused it, in as many lines as one reads. */
const reasonOf = (error: unknown): string =>
  error instanceof Halt ? error.message : inspect(error).split('\n').slice(0, REASON_LINES).join('\n');

/** What all parts share: the package, where their findings go, and the way back. */
interface Run extends Program {
  tarball: string;
  node?: string;
  findings: Finding[];
}

/** What a part gets: its checks end up in `findings`, what it sets up in `undo`. */
function contextOf({ name: part }: Part, variant: Variant, run: Run): Context {
  const { tarball, findings, node, say, undo } = run;
  const host = async () => {
    const locked = await ensureHost(variant.version, say);
    return { ...locked, node: node ?? locked.node };
  };
  return {
    variant,
    tarball,
    say,
    undo,
    check: async (what, look) => {
      const note = (trouble?: string) => {
        findings.push({ part, variant, what, trouble });
        say(`${trouble === undefined ? 'held' : 'DID NOT HOLD'}: ${what}${trouble ? `\n${trouble}` : ''}`);
      };
      try {
        const found = await look();
        note();
        return found;
      } catch (error) {
        note(reasonOf(error));
        return undefined;
      }
    },
    host,
    stage: async (options) => setStage({ host: await host(), tarball, ...options }, say, undo),
  };
}

/** Runs a part and takes down what it set up; a part that stops early or leaves something is a finding of its own. */
async function runPart(part: Part, variant: Variant, run: Run): Promise<void> {
  const { findings, say, undo } = run;
  const fell = (what: string, trouble: string) => findings.push({ part: part.name, variant, what, trouble });
  say(`== ${part.name}, n8n ${variant.version} ${variant.mode}`);
  try {
    await part.run(contextOf(part, variant, run));
  } catch (error) {
    const trouble = reasonOf(error);
    say(`DID NOT HOLD: comes to its end\n${trouble}`);
    fell('comes to its end', trouble);
  }
  if (!(await takeBack(undo, say))) {
    fell('leaves nothing behind', 'Something could not be stopped or removed; the lines above say what.');
  }
}

/** Runs the chosen parts and prints what held; the exit code says whether everything did. */
async function endToEnd({ say, undo }: Program): Promise<Outcome> {
  const findings: Finding[] = [];
  const { parts, node } = readChoice(process.argv.slice(2), PARTS);
  // Whoever interrupts it, or a limit of time, gets to see what held until then.
  process.once('exit', () => findings.length > 0 && console.log(`\n${table(findings)}`));
  say('Building the package ...');
  const folder = await mkdtemp(join(tmpdir(), 'agency-package-'));
  try {
    const tarball = await buildAndPack(folder);
    for (const part of parts)
      for (const variant of part.on) await runPart(part, variant, { tarball, findings, node, say, undo });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const held = findings.length > 0 && findings.every(({ trouble }) => trouble === undefined);
  return { exitCode: held ? 0 : 1, stays: false };
}

void runProgram(endToEnd);
