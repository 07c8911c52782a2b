import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from './install';
import { freePort, LOOPBACK, type OnLine, type Running, start, waitFor } from './processes/process';

/** What one n8n process of a cluster does; `all` is an n8n on its own. */
export type Role = 'all' | 'main' | 'worker' | 'webhook';

/** The services that the processes of a queue-mode n8n share. */
export interface Queue {
  redisPort: number;
  postgres: { port: number; database: string; user: string; password: string };
}

/** How to start one n8n process. */
export interface N8nOptions {
  host: Host;
  /** The folder that holds `.n8n`: settings, database, files and installed packages. */
  userFolder: string;
  /** The https address that people and webhooks use. */
  publicUrl: string;
  /** The same for all processes of a cluster and for every start on the same folder. */
  encryptionKey: string;
  /** Default: a free one. */
  port?: number;
  /** Which folder the "Read/Write Files from Disk" node may touch. */
  filesFolder?: string;
  /** Default: `all`. The other roles need `queue`. */
  role?: Role;
  queue?: Queue;
  /** Anything else, e.g. `N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false'` for 2.x's classic activation. */
  environment?: Record<string, string>;
  /** Gets every line of the log. */
  onLine?: OnLine;
}

/** A started n8n. `url` is its own plain http address on loopback. */
export interface N8n extends Running {
  readonly url: string;
  readonly port: number;
}

/** Starts an n8n process and waits until it answers. In vain: a `Halt` with the end of its log. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
  const { host, role = 'all' } = options;
  const port = options.port ?? (await freePort());
  const brokerPort = await freePort();
  await mkdir(join(options.userFolder, '.n8n'), { recursive: true });
  const args = role === 'worker' || role === 'webhook' ? [role] : ['start'];
  const running = start(host.node, [host.n8n, ...args], {
    cwd: options.userFolder,
    env: environment(options, port, brokerPort),
    onLine: options.onLine,
  });
  const url = `http://${LOOPBACK}:${port}`;
  // A slow disk needs most of this for the first start on a fresh folder.
  await waitFor(`n8n ${host.version} (${role}) at ${url}`, () => answers(url, role), {
    seconds: 300,
    hopeless: running.ended,
    evidence: () => running.tail(),
  });
  return { ...running, url, port };
}

/** True when n8n is ready; undefined as long as it is not. */
async function answers(url: string, role: Role): Promise<true | undefined> {
  const ready = await succeeds(`${url}/healthz/readiness`);
  if (!ready) return undefined;
  // The REST part comes up after the health check does; workers and webhook processes have none.
  if (role === 'worker' || role === 'webhook') return true;
  return (await succeeds(`${url}/rest/settings`)) || undefined;
}

async function succeeds(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const type = response.headers.get('content-type') ?? '';
    return response.ok && type.includes('json');
  } catch (error) {
    // Not listening yet, or too busy with its migrations. By name, since Jest runs tests in a realm of their own.
    if (['TypeError', 'TimeoutError'].includes(String(Object(error).name))) return false;
    throw error;
  }
}

function environment(options: N8nOptions, port: number, brokerPort: number): NodeJS.ProcessEnv {
  const { host, role = 'all', queue, publicUrl } = options;
  return {
    ...inherited(),
    N8N_USER_FOLDER: options.userFolder,
    N8N_ENCRYPTION_KEY: options.encryptionKey,
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: LOOPBACK,
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    N8N_RUNNERS_BROKER_LISTEN_ADDRESS: LOOPBACK,
    N8N_SECURE_COOKIE: 'false',
    N8N_PROXY_HOPS: '1',
    N8N_EDITOR_BASE_URL: publicUrl,
    WEBHOOK_URL: `${publicUrl}/`,
    ...(host.major === 2 && { N8N_WEBHOOK_URL: `${publicUrl}/` }),
    // The vm engine of 1.x needs a newer Node.js than the one 1.x runs on here.
    ...(host.major === 1 && { N8N_EXPRESSION_ENGINE: 'legacy' }),
    ...(options.filesFolder && { N8N_RESTRICT_FILE_ACCESS_TO: options.filesFolder }),
    ...QUIET,
    ...(queue && queueEnvironment(queue, role, port)),
    ...options.environment,
  };
}

/** What looks for something outside this machine, or talks about n8n itself: off. */
const QUIET = {
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_HIRING_BANNER_ENABLED: 'false',
  N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
  N8N_VERIFIED_PACKAGES_ENABLED: 'false',
};

function queueEnvironment({ redisPort, postgres }: Queue, role: Role, port: number): Record<string, string> {
  return {
    EXECUTIONS_MODE: 'queue',
    QUEUE_BULL_REDIS_HOST: LOOPBACK,
    QUEUE_BULL_REDIS_PORT: String(redisPort),
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: LOOPBACK,
    DB_POSTGRESDB_PORT: String(postgres.port),
    DB_POSTGRESDB_DATABASE: postgres.database,
    DB_POSTGRESDB_USER: postgres.user,
    DB_POSTGRESDB_PASSWORD: postgres.password,
    ...(role === 'main' && { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' }),
    ...(role === 'worker' && {
      QUEUE_HEALTH_CHECK_ACTIVE: 'true',
      QUEUE_HEALTH_CHECK_PORT: String(port),
      N8N_WORKER_SERVER_ADDRESS: LOOPBACK,
    }),
    ...(role === 'webhook' && { QUEUE_HEALTH_CHECK_ACTIVE: 'true' }),
  };
}

/** This program's environment without n8n's, npm's and a test runner's own settings, which would change what is tried. */
function inherited(): NodeJS.ProcessEnv {
  const foreign = /^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_|npm_|NODE_ENV$|JEST_)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
