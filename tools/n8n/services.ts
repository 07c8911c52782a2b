import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePort, LOOPBACK, run, type Running, start, waitFor } from './processes/process';
import { ensureProgram } from './processes/programs';
import { unprivileged } from './processes/unprivileged';
import type { Queue } from './server';
import type { Say } from './stage';

const USER = 'postgres';

/** Starts Redis and PostgreSQL, for a queue-mode n8n, on free loopback ports with their data in `folder`. */
export async function startServices(folder: string, say: Say): Promise<Queue> {
  const redisPort = await startRedis(folder, say);
  const port = await startPostgres(folder, say);
  return { redisPort, postgres: { port, database: 'postgres', user: USER, password: '' } };
}

async function startRedis(folder: string, say: Say): Promise<number> {
  const program = await ensureProgram({ names: ['redis-server'], package: 'redis-server' }, say);
  const port = await freePort();
  const args = ['--port', String(port), '--bind', LOOPBACK, '--save', '', '--dir', folder];
  await ready('Redis', start(program, args), /Ready to accept/);
  return port;
}

async function startPostgres(folder: string, say: Say): Promise<number> {
  const program = await ensureProgram({ names: ['postgres'], package: 'postgresql' }, say);
  const port = await freePort();
  const data = join(folder, 'postgres');
  await mkdir(data);
  const asUser = await unprivileged(USER, data);
  const [init, ...initArgs] = asUser([
    join(dirname(program), 'initdb'),
    `--pgdata=${data}`,
    `--username=${USER}`,
    ...['--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'],
  ]);
  await run(init, initArgs, { what: 'Creating a database', resolution: 'Its output:' });
  const [command, ...args] = asUser([
    program,
    ...['-D', data, '-p', String(port), '-h', LOOPBACK, '-k', data, '-F'],
  ]);
  await ready('PostgreSQL', start(command, args), /ready to accept connections/);
  return port;
}

/** Waits until a server says that it is ready. */
const ready = (name: string, server: Running, sign: RegExp) =>
  waitFor(`${name} to accept connections`, async () => sign.test(server.output()) || undefined, {
    seconds: 180,
    hopeless: server.ended,
    evidence: () => server.tail(),
  });
