import { join } from 'node:path';
import type { Sandbox } from '../../sandbox';
import type { LoggedRequest } from '../../sandbox/control/request-log';
import { Halt } from './processes/halt';
import { type Running, start, waitFor } from './processes/process';

const ROOT = join(__dirname, '../..');

/** What the sandbox says of itself when it is ready. */
export type SandboxFacts = Omit<Sandbox, 'close'>;

/** The sandbox as a process of its own. */
export interface Agency extends SandboxFacts {
  readonly process: Running;
}

/**
 * Starts the sandbox and waits until it is ready.
 *
 * @param options.port default: a free one
 * @param options.authorityFile PEM file of the authority whose certificates its webhook calls are to trust
 */
export async function startAgency(options: {
  port?: number;
  authorityFile?: string;
  args?: string[];
}): Promise<Agency> {
  let facts: SandboxFacts | undefined;
  const running = start(
    process.execPath,
    [
      ...['--import', 'tsx', join(ROOT, 'sandbox/cli.ts')],
      ...['--port', String(options.port ?? 0), '--json', ...(options.args ?? [])],
    ],
    {
      cwd: ROOT,
      env: { ...process.env, NODE_EXTRA_CA_CERTS: options.authorityFile },
      onLine: (line, from) => {
        if (from === 'stdout' && !facts) facts = JSON.parse(line) as SandboxFacts;
      },
    },
  );
  const ready = await waitFor('the sandbox to be ready', async () => facts, {
    seconds: 180,
    hopeless: running.ended,
    evidence: () => running.tail(),
  });
  return { ...ready, process: running };
}

/** Reads from the agency with a key; `path` begins with a slash and stands behind `/api/v1`. */
export async function askAgency<T>(agency: Agency, path: string): Promise<T> {
  const response = await fetch(`${agency.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${agency.keys.full}` },
  });
  return succeeded(response, path);
}

/** Uses a control route of the sandbox; `path` begins with a slash and stands behind `/_sandbox`. */
export async function control<T>(agency: Agency, path: string, body: unknown): Promise<T> {
  const response = await fetch(`${agency.url}/_sandbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return succeeded(response, path);
}

async function succeeded<T>(response: Response, path: string): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  throw new Halt(`The sandbox answered ${path} with ${response.status}: ${await response.text()}`);
}

/** Every request that arrived, oldest first. */
export async function arrivedRequests(agency: Agency): Promise<LoggedRequest[]> {
  const response = await fetch(`${agency.url}/_sandbox/requests`);
  return (await response.json()) as LoggedRequest[];
}

/** How many webhook endpoints were created and not removed since the sandbox started. A repeat under the same key is the same one. */
export async function endpointsLeft(agency: Agency): Promise<number> {
  const succeeded = (await arrivedRequests(agency)).filter(({ status }) => status !== null && status < 300);
  const created = succeeded
    .filter(({ method, path }) => method === 'POST' && /\/webhook-endpoints$/.test(path))
    .map(({ headers }) => headers['idempotency-key']);
  const removed = succeeded
    .filter(({ method, path }) => method === 'DELETE' && /\/webhook-endpoints\/[^/]+$/.test(path))
    .map(({ path }) => path);
  return new Set(created).size - new Set(removed).size;
}
