import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agency, startAgency } from './agency';
import { makeCertificate, type Passage, startHttpsFront } from './https';
import type { Host } from './install';
import { installPackage } from './package';
import { freePort, type OnLine, stopAll } from './processes/process';
import { type N8n, startN8n } from './server';
import { type Owner, Session } from './session';

/** The login of a throw-away n8n, which nobody but this machine can reach. */
export const OWNER: Owner = { email: 'demo@agency.example', password: 'Demo-2468' };

/** Undoes what was set up, from the last to the first; filled step by step, so that one can leave at any moment. */
export type Undo = (() => Promise<void>)[];

/** Gets one line for each step. */
export type Say = (line: string) => void;

/** What a stage is made of. Ports default to free ones. */
export interface StageOptions {
  host: Host;
  /** The packed package that the n8n gets. */
  tarball: string;
  editorPort?: number;
  sandboxPort?: number;
  /** Further options of the sandbox's command line. */
  sandboxArgs?: string[];
  /** Which folder n8n may read files from. */
  filesFolder?: string;
  /** n8n's further environment. */
  environment?: Record<string, string>;
  /** Gets every line of n8n's log. */
  onLine?: OnLine;
}

/** The agency, and an n8n with the package that its webhook calls reach over https. */
export interface Stage {
  host: Host;
  agency: Agency;
  session: Session;
  /** The https address of the editor. */
  editorUrl: string;
  /** Every request that came in over https, as it comes in. */
  passages: Passage[];
  /** The folder that holds n8n's `.n8n`. */
  userFolder: string;
  /** The running n8n. */
  n8n(): N8n;
  /**
   * Ends n8n, as an administrator or as a crash would, and starts it again on the same folder and address, if wanted
   * with another environment.
   */
  restart(how: 'stop' | 'kill', environment?: Record<string, string>): Promise<void>;
}

/** Starts sandbox, https front and n8n, everything in a temporary folder. */
export async function setStage(options: StageOptions, say: Say, undo: Undo): Promise<Stage> {
  const { host, environment, filesFolder, onLine } = options;
  const userFolder = await mkdtemp(join(tmpdir(), 'agency-stage-'));
  undo.push(() => rm(userFolder, { recursive: true, force: true, maxRetries: 3 }), stopAll);
  await installPackage(options.tarball, userFolder, host);

  say('Starting the sandbox of the agency ...');
  const certificate = await makeCertificate();
  const authorityFile = join(userFolder, 'authority.pem');
  await writeFile(authorityFile, certificate.authority);
  const agency = await startAgency({
    port: options.sandboxPort,
    authorityFile,
    args: options.sandboxArgs,
  });

  const port = await freePort();
  const passages: Passage[] = [];
  const front = await startHttpsFront(
    certificate,
    options.editorPort || (await freePort()),
    () => `http://127.0.0.1:${port}`,
    (passage) => passages.push(passage),
  );
  undo.push(front.close);
  say(`Starting n8n ${host.version} behind ${front.url} (10 to 60 seconds) ...`);
  const encryptionKey = randomBytes(16).toString('hex');
  const start = (also = environment) =>
    startN8n({
      host,
      port,
      userFolder,
      publicUrl: front.url,
      encryptionKey,
      filesFolder,
      environment: also,
      onLine,
    });
  let n8n = await start();
  const session = await Session.open(n8n.url, host.major, OWNER);
  return {
    host,
    agency,
    session,
    editorUrl: front.url,
    passages,
    userFolder,
    n8n: () => n8n,
    restart: async (how, also) => {
      await n8n[how]();
      n8n = await start(also);
    },
  };
}
