import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Halt } from '../../tools/n8n/halt';
import { ensureHost } from '../../tools/n8n/install';
import { buildAndPack } from '../../tools/n8n/package';
import { type Outcome, type Program, runProgram, takeBack } from '../../tools/n8n/program';
import { type Say, setStage, type Undo } from '../../tools/n8n/stage';
import { chosenParts } from './options';
import type { Context, Finding, Part } from './part';
import { PARTS } from './parts';
import { table } from './table';

const REASON_LINES = 40;

/** Why something did not hold, with what caused it, in as many lines as one reads. */
const reasonOf = (error: unknown): string =>
  error instanceof Halt ? error.message : inspect(error).split('\n').slice(0, REASON_LINES).join('\n');

/** What a part gets: its checks end up in `findings`, what it sets up in `undo`. */
function contextOf(part: Part, tarball: string, findings: Finding[], say: Say, undo: Undo): Context {
  return {
    tarball,
    say,
    undo,
    check: async (version, what, look) => {
      const since = Date.now();
      const note = (trouble?: string) => {
        findings.push({ part: part.name, version, what, seconds: (Date.now() - since) / 1000, trouble });
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
    stage: async (version, options) =>
      setStage({ host: await ensureHost(version, say), tarball, ...options }, say, undo),
  };
}

/** Runs a part and takes down what it set up; a part that stops early or leaves something is a finding of its own. */
async function runPart(
  part: Part,
  tarball: string,
  findings: Finding[],
  say: Say,
  undo: Undo,
): Promise<void> {
  const context = contextOf(part, tarball, findings, say, undo);
  say(`== ${part.name}`);
  try {
    await part.run(context);
  } catch (error) {
    const trouble = reasonOf(error);
    say(`DID NOT HOLD: comes to its end\n${trouble}`);
    findings.push({ part: part.name, what: 'comes to its end', seconds: 0, trouble });
  }
  if (!(await takeBack(undo, say))) {
    const trouble = 'Something could not be stopped or removed; the lines above say what.';
    findings.push({ part: part.name, what: 'leaves nothing behind', seconds: 0, trouble });
  }
}

/** Runs the chosen parts and prints what held; the exit code says whether everything did. */
async function endToEnd({ say, undo }: Program): Promise<Outcome> {
  const findings: Finding[] = [];
  const parts = chosenParts(process.argv.slice(2), PARTS);
  say('Building the package ...');
  const folder = await mkdtemp(join(tmpdir(), 'agency-package-'));
  try {
    const tarball = await buildAndPack(folder);
    for (const part of parts) await runPart(part, tarball, findings, say, undo);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(`\n${table(findings)}`);
  const held = findings.length > 0 && findings.every(({ trouble }) => trouble === undefined);
  return { exitCode: held ? 0 : 1, stays: false };
}

void runProgram(endToEnd);
