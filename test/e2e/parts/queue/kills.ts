import { equal, match, ok } from 'node:assert/strict';
import type { Credential } from '../../../../tools/n8n/credentials';
import {
  type Execution,
  finishedExecution,
  listExecutions,
  retryExecution,
} from '../../../../tools/n8n/executions';
import { waitFor } from '../../../../tools/n8n/processes/process';
import type { Context } from '../../part';
import { planFaults } from '../../support/agency';
import type { Cluster, Member } from '../../support/cluster';
import { NEXT, UPLOAD } from '../../support/workflows';
import { type Inbox, lookUps } from './inbox';
import { documentsOf, expectEachOnce, type Files, openUploads, type Uploads } from './uploads';

/** Longer than n8n takes to miss a worker. */
const STUCK_MS = 300_000;
const SLOW_MS = 500;
/** So many documents are there when a worker is killed. */
const FEW = 6;
const BEGIN = { seconds: 120, everyMs: 50 };
const END_SECONDS = 300;
/** A key that is the same in every execution. */
const OWN_KEY = { idempotencyKey: '={{ $json.fileName }}' };

/** What there is to kill processes in. */
export interface Scene {
  cluster: Cluster;
  credential: Credential;
  files: Files;
  inbox: Inbox;
}

/** The ids of executions that were killed. */
interface Killed {
  upload: string;
  event: string;
}

/** A worker is killed in the middle of an upload and of what an event started, and does not come back; the other worker goes on. */
export async function killedWorker({ check, variant }: Context, scene: Scene): Promise<void> {
  const { cluster, credential, files } = scene;
  const [first, second] = cluster.workers;
  const rerun = variant.version === '1.123.81';
  const uploads = await openUploads(cluster, credential, files, rerun ? {} : OWN_KEY);
  const killed = await inTheMiddle(scene, uploads, 'evt_killed_worker', () => first.kill());
  await second.restart();
  if (rerun) {
    await check('a killed upload is run again by n8n: no document twice, none missing', async () => {
      await succeeds(cluster, killed.upload);
      await expectEachOnce(uploads);
    });
    await check("a killed event's execution is run again by n8n: its next nodes run", async () =>
      ranNext(await succeeds(cluster, killed.event)),
    );
  } else {
    await check('an execution whose worker is killed is an error that n8n cannot retry', async () => {
      for (const id of [killed.upload, killed.event]) await cannotBeRetried(cluster, id);
    });
    await check('with a key of its own it is started anew: no document twice, none missing', async () => {
      await succeeds(cluster, (await uploads.call()).id);
      await expectEachOnce(uploads);
    });
  }
  await first.restart();
}

/** The same, and the process that had taken the calls is killed too; both come back on their folders, as after a power cut. */
export async function killedMachine({ check, variant }: Context, scene: Scene): Promise<void> {
  const { cluster, credential, files } = scene;
  const { webhook, workers } = cluster;
  const [first, second] = workers;
  // n8n 1.x gives a retry nothing by which to know the killed execution.
  const own = variant.version === '1.123.81';
  const uploads = await openUploads(cluster, credential, files, own ? OWN_KEY : {});
  const killed = await inTheMiddle(scene, uploads, 'evt_killed_machine', async () => {
    await Promise.all([first.kill(), webhook.kill()]);
  });
  await Promise.all([first.restart(), second.restart(), webhook.restart()]);
  await check('killed with the process that took the call, executions are shown as crashed', async () => {
    for (const id of [killed.upload, killed.event]) equal((await ended(cluster, id)).status, 'crashed');
  });
  const how = own ? 'with a key of its own, ' : '';
  await check(`${how}a crashed upload is retried: no document twice, none missing`, async () => {
    await succeeds(cluster, await retryExecution(cluster.session, killed.upload));
    await expectEachOnce(uploads);
  });
  await check("a crashed event's execution is retried: its next nodes run", async () =>
    ranNext(await succeeds(cluster, await retryExecution(cluster.session, killed.event))),
  );
}

/**
 * Stops the second worker and lets the first begin with an upload and with what an event starts; calls `kill` when
 * both have begun, and looks whether neither had ended.
 */
async function inTheMiddle(
  { cluster, inbox }: Scene,
  uploads: Uploads,
  event: string,
  kill: () => Promise<void>,
): Promise<Killed> {
  const { agency, session, workers } = cluster;
  await workers[1].stop();
  await planFaults(agency, [
    { method: 'GET', path: `/companies/${event}`, times: 1, fault: 'delay', delayMs: STUCK_MS },
    { method: 'POST', path: '/documents', times: 1_000, fault: 'delay', delayMs: SLOW_MS },
  ]);
  await inbox.deliver(event);
  const asked = async () => (await lookUps(inbox)).has(event) || undefined;
  await waitFor('the next node to ask for the event', asked, BEGIN);
  const [begun] = await listExecutions(session, inbox.workflow);
  ok(begun, 'n8n lists no execution of the event.');
  const { id: upload } = await uploads.call();
  const some = async () => (await documentsOf(uploads)).size >= FEW || undefined;
  await waitFor(`${FEW} documents`, some, BEGIN);
  await kill();
  const made = (await documentsOf(uploads)).size;
  ok(made < uploads.files.names.length, 'The upload had ended before the kill.');
  await planFaults(agency, []);
  return { upload, event: begun.id };
}

/** n8n 2.x throws away what it would go on with when it misses a worker. */
async function cannotBeRetried(cluster: Cluster, id: string): Promise<void> {
  const killed = await ended(cluster, id);
  equal(killed.status, 'error');
  match(killed.error ?? '', /failed to be processed too many times/);
  const retried = await ended(cluster, await retryExecution(cluster.session, id));
  equal(retried.status, 'error');
  equal(retried.runs(UPLOAD).length + retried.runs(NEXT).length, 0);
}

const ended = ({ session, workers }: Cluster, id: string): Promise<Execution> =>
  finishedExecution(session, id, {
    seconds: END_SECONDS,
    evidence: () => workers.map((worker: Member) => worker.tail()).join('\n'),
  });

async function succeeds(cluster: Cluster, id: string): Promise<Execution> {
  const execution = await ended(cluster, id);
  equal(execution.status, 'success', execution.error);
  return execution;
}

function ranNext(execution: Execution): void {
  equal(execution.items(NEXT).length, 1);
}
