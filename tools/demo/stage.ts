import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agency, startAgency } from '../n8n/agency';
import { makeCertificate, type Passage, startHttpsFront } from '../n8n/https';
import { ensureHost } from '../n8n/install';
import { installPackage, pack } from '../n8n/package';
import { freePort, run, stopAll } from '../n8n/process';
import { startN8n } from '../n8n/server';
import { Session } from '../n8n/session';
import type { StagePorts } from './options';

const ROOT = join(__dirname, '../..');

/** The files that the upload workflow reads. */
export const DOCUMENTS = join(ROOT, 'examples/documents');

/** The login of the demo's n8n, which nobody but this machine can reach. */
export const OWNER = { email: 'demo@agency.example', password: 'Demo-2468' };

/** Undoes what was set up, from the last to the first; filled step by step, so that one can leave at any moment. */
export type Undo = (() => Promise<void>)[];

/** Gets one line for each step. */
export type Say = (line: string) => void;

/** The agency, and an n8n with the package that its webhook calls reach over https. */
export interface Stage {
  agency: Agency;
  session: Session;
  /** The https address of the editor. */
  editorUrl: string;
  /** Every request that came in over https, as it comes in. */
  passages: Passage[];
}

/** Installs what is missing, builds the package and starts sandbox, https front and n8n. Everything lives in a temporary folder. */
export async function setStage(options: StagePorts, say: Say, undo: Undo): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'agency-demo-'));
  undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }), stopAll);
  const editorPort = await portFor(options.editorPort, 'the n8n editor', '--port');
  const sandboxPort = await portFor(options.sandboxPort, 'the sandbox', '--sandbox-port');
  const host = await ensureHost('2.41.1', say);

  say('Building the package ...');
  await run('npm', ['run', '--silent', 'build'], { cwd: ROOT, wayOut: 'Mend what it names:' });
  say('Installing it into an n8n of its own, as n8n does ...');
  await installPackage(await pack(folder), folder);

  say('Starting the sandbox of the agency ...');
  const certificate = await makeCertificate();
  const authorityFile = join(folder, 'authority.pem');
  await writeFile(authorityFile, certificate.authority);
  const agency = await startAgency({ port: sandboxPort, authorityFile });

  const port = await freePort();
  const passages: Passage[] = [];
  const front = await startHttpsFront(
    certificate,
    editorPort,
    () => `http://127.0.0.1:${port}`,
    (passage) => passages.push(passage),
  );
  undo.push(front.close);
  say(`Starting n8n ${host.version} behind ${front.url} (10 to 60 seconds) ...`);
  const n8n = await startN8n({
    host,
    port,
    userFolder: folder,
    publicUrl: front.url,
    encryptionKey: randomBytes(16).toString('hex'),
    filesFolder: DOCUMENTS,
  });
  const session = await Session.open(n8n.url, host.major, OWNER);
  return { agency, session, editorUrl: front.url, passages };
}

const portFor = (port: number, purpose: string, option: string): Promise<number> =>
  port === 0
    ? freePort()
    : freePort({
        port,
        purpose,
        wayOut: `Stop what uses it, or choose another: npm run demo -- ${option} ${port + 1}`,
      });
