import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Agency } from './agency/agency';
import { Agenda } from './time/schedule';
import { Clock } from './time/clock';
import { Contract } from './server/contract';
import { Cursors } from './server/cursors';
import { Deliveries } from './webhooks/deliveries';
import { Expiry } from './agency/files';
import { NewMonths, openMonths } from './agency/new-months';
import { Faults } from './control/faults';
import { fill } from './seed/load';
import { Idempotency } from './server/idempotency';
import { FULL_ACCESS, seedKeys, type KeyName } from './access/keys';
import { DEFAULT_RATE, RateLimit } from './server/rate-limit';
import { Reading } from './agency/text-recognition';
import { RequestLog } from './control/request-log';
import { SCOPES } from './access/scopes';
import { seedOf } from './seed';
import { PERIOD } from './seed/dates';
import { buildServer } from './server/server';
import { Blobs } from './store/blobs';
import { Database } from './store/database';
import { forgetSending } from './store/deliveries';
import { usedBlobs } from './store/files';
import { readMeta, writeMeta, type MetaName } from './store/meta';
import { openTasks } from './store/tasks';
import { makeTokenKey, Tokens } from './access/access-tokens';
import { WebhookSender } from './webhooks/sender';

/** How a sandbox is started. */
export interface SandboxOptions {
  /** The address to listen on; 127.0.0.1 by default. */
  host?: string;
  /** 0, the default, takes a free one. */
  port?: number;
  /** Path of a file that keeps the data, with a folder `.files` beside it for contents; without it, nothing is kept. */
  data?: string;
  /** How many documents a fresh agency has. */
  documents?: number;
  /** Requests per minute and key. */
  rateLimit?: number | 'off';
  /** How long the work of every operation is held back. */
  latencyMs?: number;
}

/** A sandbox that runs. */
export interface Sandbox {
  /** The agency's address, without a trailing slash. */
  url: string;
  adminUrl: string;
  keys: Record<KeyName, string>;
  /** An access token that may do what the key `full` may. */
  token: string;
  /** A month that has company periods. */
  period: string;
  /** Ids of open tasks. */
  tasks: string[];
  close(): Promise<void>;
}

/** Listening on these includes the loopback interface. */
const WILDCARDS = new Set(['0.0.0.0', '::']);

const urlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

function portOf(server: FastifyInstance): number {
  const [at] = server.addresses();
  if (at === undefined || typeof at === 'string') throw new Error('The sandbox listens on no port');
  return at.port;
}

const YEAR_IN_SECONDS = 365 * 24 * 60 * 60;

/** What the sandbox keeps about itself, made when it is missing. */
async function kept(db: Database, name: MetaName, make: () => string | Promise<string>): Promise<string> {
  const known = readMeta(db, name);
  if (known !== undefined) return known;
  const value = await make();
  writeMeta(db, name, value);
  return value;
}

/** Fills a new agency, and takes up an old one where it ended. */
function takeUp({ db, clock, blobs }: Agency, documents: number | undefined): void {
  if (readMeta(db, 'seeded') === undefined) fill(db, seedOf(documents));
  clock.offsetMs = Number(readMeta(db, 'clockOffset'));
  openMonths(db, clock.now());
  blobs.keepOnly(usedBlobs(db));
  forgetSending(db);
}

/**
 * Starts an agency, on the loopback interface unless told otherwise. Resolves when it listens.
 * @throws When the port is taken (`EADDRINUSE`) or the data file cannot be used.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    host = '127.0.0.1',
    port = 0,
    data,
    documents,
    rateLimit: rate = DEFAULT_RATE,
    latencyMs = 0,
  } = options;
  const db = new Database(data);
  const clock = new Clock();
  const blobs = new Blobs(data && `${data}.files`);

  const agenda = new Agenda(clock);
  const deliveries = new Deliveries(db, clock, new WebhookSender(), () => agenda.wake());
  const cursors = new Cursors(await kept(db, 'cursorSecret', () => randomBytes(32).toString('base64')));
  const tokens = new Tokens(await kept(db, 'tokenKey', makeTokenKey), clock);
  let url = '';
  const agency: Agency = { db, clock, blobs, cursors, tokens, agenda, deliveries, address: () => url };
  agenda.add(new Reading(agency), new Expiry(agency), new NewMonths(agency), deliveries);

  const rateLimit = new RateLimit(clock, rate);
  const faults = new Faults();
  const log = new RequestLog();
  const reset = () => {
    fill(db, seedOf(documents));
    clock.offsetMs = 0;
    agenda.restart();
    blobs.keepOnly(new Set());
    rateLimit.reset();
    faults.plan([]);
    log.clear();
  };
  const idempotency = new Idempotency(agency);
  const contract = await Contract.open();
  const server = buildServer({ agency, contract, idempotency, rateLimit, latencyMs, faults, log, reset });
  const release = () => {
    blobs.close();
    db.close();
  };
  try {
    await server.listen({ port, host });
    // A start in vain alters no data; no request is let in before this has run.
    takeUp(agency, documents);
    url = `http://${WILDCARDS.has(host) ? '127.0.0.1' : urlHost(host)}:${portOf(server)}`;
  } catch (reason) {
    await server.close();
    release();
    throw reason;
  }
  agenda.wake();
  let closing: Promise<void> | undefined;
  const close = async () => {
    await server.close();
    await deliveries.close();
    await agenda.close();
    release();
  };
  return {
    url,
    adminUrl: `${url}/admin`,
    keys: seedKeys(),
    token: await tokens.issue(FULL_ACCESS, SCOPES, url, YEAR_IN_SECONDS),
    period: PERIOD,
    tasks: openTasks(db).map(({ id }) => id),
    close: () => (closing ??= close()),
  };
}
