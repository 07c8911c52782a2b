import { Halt } from './halt';
import type { Say, Undo } from '../stage';

/** What a program that sets a stage is given. */
export interface Program {
  /** Prints one line of progress with the seconds since the start. */
  say: Say;
  undo: Undo;
}

/** How a program's work ended: its exit code, and whether what it set up stays until Ctrl-C. */
export interface Outcome {
  exitCode: number;
  stays: boolean;
}

/**
 * Runs a program to its end, Ctrl-C and SIGTERM included, takes back what it set up, and exits. An interrupted one
 * has the exit code 130.
 *
 * @param print where progress goes; a program whose output is read gives `console.error`
 */
export async function runProgram(
  work: (program: Program) => Promise<Outcome>,
  print: (line: string) => void = console.log,
): Promise<never> {
  const started = Date.now();
  const say = (line: string) =>
    print(`[${String(Math.round((Date.now() - started) / 1000)).padStart(4)} s] ${line}`);
  // Later signals change nothing, since the way back is under way.
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve('interrupted'));
  });
  const undo: Undo = [];
  let exitCode = 130;
  try {
    const outcome = await Promise.race([work({ say, undo }), interrupted]);
    if (outcome !== 'interrupted') {
      exitCode = outcome.exitCode;
      if (outcome.stays) await interrupted;
    }
  } catch (error) {
    exitCode = 1;
    console.error(error instanceof Halt ? `\n${error.message}` : error);
  }
  if (undo.length > 0) {
    say('Stopping n8n and the sandbox ...');
    if (!(await takeBack(undo, say))) exitCode = exitCode || 1;
    say('Everything is stopped.');
  }
  process.exit(exitCode);
}

/**
 * Takes back what was set up, from the last to the first; a step that does not work is told and the others still run.
 * True when every step worked.
 */
export async function takeBack(undo: Undo, say: Say): Promise<boolean> {
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
