import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(__dirname, '../../..');
const START_MS = 30_000;

/** What the sandbox prints when it is ready. */
export interface Ready {
  url: string;
  adminUrl: string;
  keys: Record<'full' | 'other' | 'readonly' | 'singleCompany' | 'revoked' | 'expired' | 'foreign', string>;
  token: string;
  period: string;
  tasks: string[];
}

/** A sandbox in a process of its own. */
export interface SandboxProcess extends Ready {
  /** What it wrote to stderr. */
  log(): string;
  /** Ends it and waits until it is gone; SIGKILL as a power cut would. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

const exited = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
  });

/**
 * The sandbox as a process of its own, on a free port.
 * @throws Error with what it wrote when it does not get ready in 30 seconds.
 */
export async function startProcess(args: string[]): Promise<SandboxProcess> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'sandbox/cli.ts', '--json', '--port', '0', ...args],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const gone = exited(child);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
  const ready = await new Promise<Ready>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The sandbox was not ready within ${START_MS} ms. ${log}`));
    }, START_MS);
    createInterface(child.stdout).once('line', (line) => {
      clearTimeout(timer);
      resolve(JSON.parse(line));
    });
    void gone.then((code) => {
      clearTimeout(timer);
      reject(new Error(`The sandbox ended with ${code} before it was ready. ${log}`));
    });
  });
  return {
    ...ready,
    log: () => log,
    end: async (signal) => {
      child.kill(signal);
      return await gone;
    },
  };
}
