import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agency, startAgency } from '../../../tools/n8n/agency';
import { makeCertificate, startHttpsFront } from '../../../tools/n8n/https';
import { installPackage } from '../../../tools/n8n/package';
import { freePort, stopAll } from '../../../tools/n8n/processes/process';
import { type N8n, type N8nOptions, type Queue, type Role, startN8n } from '../../../tools/n8n/server';
import { startServices } from '../../../tools/n8n/services';
import { Session } from '../../../tools/n8n/session';
import { OWNER } from '../../../tools/n8n/stage';
import type { Context } from '../part';

/** One process of a cluster, which comes back at the same address and on the same folder. */
export class Member {
  private constructor(
    private running: N8n,
    private readonly begin: () => Promise<N8n>,
  ) {}

  static async start(options: N8nOptions): Promise<Member> {
    const port = await freePort();
    const begin = () => startN8n({ ...options, port });
    return new Member(await begin(), begin);
  }

  /** Its own plain http address. */
  get url(): string {
    return this.running.url;
  }

  /** The newest lines of its log. */
  tail(lines?: number): string {
    return this.running.tail(lines);
  }

  /** Ends it as an administrator would. */
  async stop(): Promise<void> {
    await this.running.stop();
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    await this.running.kill();
  }

  /** Starts it again, stopped before if it still runs. */
  async restart(): Promise<void> {
    await this.running.stop();
    this.running = await this.begin();
  }
}

/** An n8n in queue mode: a main process, a webhook process and two workers, each with the package, beside the agency. */
export interface Cluster {
  agency: Agency;
  /** Where the agency keeps its data. */
  dataFile: string;
  session: Session;
  postgres: Queue['postgres'];
  main: Member;
  webhook: Member;
  workers: [Member, Member];
}

/**
 * Starts a cluster with Redis and PostgreSQL, whose files lie in the database. It is taken down after the part.
 *
 * @param filesFolder which folder the workers may read files from
 * @param settings n8n's further environment
 */
export async function startCluster(
  { host: installed, tarball, say, undo }: Pick<Context, 'host' | 'tarball' | 'say' | 'undo'>,
  filesFolder: string | undefined,
  settings: Record<string, string>,
): Promise<Cluster> {
  const host = await installed();
  const folder = await mkdtemp(join(tmpdir(), 'agency-cluster-'));
  undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }), stopAll);
  say('Starting Redis, PostgreSQL and the sandbox ...');
  const queue = await startServices(folder, say);
  const certificate = await makeCertificate();
  const authorityFile = join(folder, 'authority.pem');
  await writeFile(authorityFile, certificate.authority);
  const dataFile = join(folder, 'agency.sqlite');
  const args = ['--data', dataFile, '--rate-limit', 'off', '--documents', '0'];
  const agency = await startAgency({ authorityFile, args });

  let route = () => '';
  const front = await startHttpsFront(certificate, await freePort(), () => route());
  undo.push(front.close);
  const encryptionKey = randomBytes(16).toString('hex');
  const environment = { ...IN_DATABASE, ...settings };
  const packaged = join(folder, 'packaged');
  await installPackage(tarball, packaged, host);
  const begin = async (role: Role, name: string): Promise<Member> => {
    const userFolder = join(folder, name);
    await cp(packaged, userFolder, { recursive: true });
    const shared = { host, publicUrl: front.url, encryptionKey, filesFolder, queue, environment };
    return Member.start({ ...shared, userFolder, role });
  };
  say(`Starting a main process of n8n ${host.version}, then a webhook process and two workers ...`);
  const main = await begin('main', 'main');
  const [webhook, one, other] = await Promise.all([
    begin('webhook', 'webhook'),
    begin('worker', 'worker-1'),
    begin('worker', 'worker-2'),
  ]);
  route = () => webhook.url;
  const session = await Session.open(main.url, host.major, OWNER);
  return { agency, dataFile, session, postgres: queue.postgres, main, webhook, workers: [one, other] };
}

/** n8n 2.x keeps files so in queue mode by itself; 1.x would keep them in the execution's data. */
const IN_DATABASE = {
  N8N_DEFAULT_BINARY_DATA_MODE: 'database',
  N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
};
