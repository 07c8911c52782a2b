import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Halt } from './halt';

/** Where everything that is started here listens. */
export const LOOPBACK = '127.0.0.1';
const KEPT_LINES = 400;

/** A free port of the loopback address. `preferred` is taken when given; a taken one is a `Halt` that names `purpose` and `resolution`. */
export async function freePort(preferred?: {
  port: number;
  purpose: string;
  resolution: string;
}): Promise<number> {
  const probe = createServer().listen(preferred?.port ?? 0, LOOPBACK);
  try {
    await once(probe, 'listening');
  } catch (error) {
    if (!preferred) throw error;
    throw new Halt(`Port ${preferred.port} for ${preferred.purpose} is in use. ${preferred.resolution}`);
  }
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}

/** How `waitFor` waits: its limit, how often it looks (milliseconds), and what ends the wait early, as a reason. */
export interface Patience {
  seconds: number;
  everyMs?: number;
  /** A reason to wait no longer, e.g. that the process has ended. */
  hopeless?: () => string | undefined;
  /** What to show when the wait was in vain, e.g. the end of a log. */
  evidence?: () => string;
}

/** Looks again and again until `look` gives a value. In vain: a `Halt` that says what was waited for, how long, and the evidence. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined>,
  patience: Patience,
): Promise<T> {
  const deadline = Date.now() + patience.seconds * 1000;
  const evidence = () => (patience.evidence ? `\n${patience.evidence()}` : '');
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    const reason = patience.hopeless?.();
    if (reason) throw new Halt(`Stopped waiting for ${what}: ${reason}.${evidence()}`);
    if (Date.now() > deadline)
      throw new Halt(`Waited ${patience.seconds} seconds for ${what}, without success.${evidence()}`);
    await sleep(patience.everyMs ?? 250);
  }
}

/** Gets each line that a process prints. */
export type OnLine = (line: string, from: 'stdout' | 'stderr') => void;

/** Everything that `start` started and that has not ended yet. */
const started = new Set<Running>();

let reaper: ChildProcess | undefined;

/** However this program ends, nothing that it started outlives it: a signal that it does not listen to would run no code of it. */
function tellReaper(news: { started: number } | { ended: number }): void {
  if (!reaper) {
    reaper = fork(join(__dirname, 'reaper.mjs'), { detached: true, execArgv: [], stdio: 'ignore' });
    reaper.unref();
    reaper.channel?.unref();
  }
  reaper.send(news);
}

/** A process that this one started, with all it starts itself, and the end of what it printed. */
export interface Running {
  readonly pid: number;
  /** Settles when it has ended, however it ended, and its output is complete. */
  readonly end: Promise<void>;
  /** How it ended, e.g. "it ended with exit code 1"; undefined while it runs. */
  ended(): string | undefined;
  /** The last lines of stdout and stderr. */
  tail(lines?: number): string;
  /** Everything kept of its output. */
  output(): string;
  /** SIGTERM, then SIGKILL after `graceSeconds`; resolves when it and its children are gone. */
  stop(graceSeconds?: number): Promise<void>;
  /** SIGKILL to it and its children, as a crash would. */
  kill(): Promise<void>;
}

/**
 * Starts a command in a process group of its own, so that Ctrl-C reaches only the program that
 * started it, which then stops its children in the right order.
 */
export function start(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; onLine?: OnLine } = {},
): Running {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const lines: string[] = [];
  let ending: string | undefined;
  const end = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      ending = `${command} could not be started (${error.message})`;
      resolve();
    });
    child.once('exit', (code, signal) => {
      ending = signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
    });
    // Comes when the output has been read to its end and no child holds it any more.
    child.once('close', () => resolve());
  });
  for (const from of ['stdout', 'stderr'] as const) {
    createInterface(child[from]).on('line', (line) => {
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
      options.onLine?.(line, from);
    });
  }
  const pid = child.pid ?? 0;
  const stop = async (graceSeconds = 15) => {
    if (!started.has(running)) return;
    if (graceSeconds > 0) signalGroup(pid, 'SIGTERM');
    await Promise.race([end, sleep(graceSeconds * 1000, undefined, { ref: false })]);
    signalGroup(pid, 'SIGKILL');
    await end;
  };
  const running: Running = {
    pid,
    end,
    ended: () => ending,
    tail: (count = 20) => lines.slice(-count).join('\n'),
    output: () => lines.join('\n'),
    stop,
    kill: () => stop(0),
  };
  started.add(running);
  if (pid > 0) tellReaper({ started: pid });
  void end.then(() => {
    started.delete(running);
    if (pid > 0) tellReaper({ ended: pid });
  });
  return running;
}

/** Stops what is still running of everything this program started, newest first. */
export async function stopAll(): Promise<void> {
  for (const running of [...started].reverse()) await running.stop();
}

/**
 * Runs a command to its end and gives its output. Another exit code than 0 is a `Halt`: `what` did
 * not come to its end, `resolution`, and the end of its output.
 */
export async function run(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; what: string; resolution: string },
): Promise<string> {
  const running = start(command, args, options);
  await running.end;
  if (running.ended() !== 'it ended with exit code 0') {
    const reason = `"${[command, ...args].join(' ')}": ${running.ended()}`;
    throw new Halt(`${options.what} failed (${reason}). ${options.resolution}\n${running.tail(10)}`.trim());
  }
  return running.output();
}

/** Signals a whole process group; one that is gone already is fine. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (pid <= 0) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!isNoSuchProcess(error)) throw error;
  }
}

/** True for what the system says when a process is gone. */
export const isNoSuchProcess = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH';
