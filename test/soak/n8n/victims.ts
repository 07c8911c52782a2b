import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureHost, type HostVersion } from '../../../tools/n8n/install';
import { pack } from '../../../tools/n8n/package';
import type { Undo } from '../../../tools/n8n/stage';
import { HostDatabase } from '../../bench/host/database';
import { onStage } from '../../bench/host/stage';
import { activeTrigger, OUR_TRIGGER } from '../../bench/host/target';
import { startCluster } from '../../e2e/support/cluster';
import { ClusterDatabase } from './cluster-database';
import type { Counter } from './counter';
import type { Victim } from './killed-flow';
import { reporting } from './siege';

const ROOT = join(__dirname, '../../..');
const QUIETLY = { say: () => undefined };
/** n8n misses a killed worker sooner than by itself, where it takes up to a minute and a half. */
const IMPATIENT = {
  QUEUE_WORKER_LOCK_DURATION: '10000',
  QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
  QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** Does something with an n8n of one process. Its trigger's next node reports to the counter. */
export async function withOneProcess<T>(
  version: HostVersion,
  counter: Counter,
  work: (victim: Victim) => Promise<T>,
): Promise<T> {
  const sandboxArgs = ['--rate-limit', 'off', '--documents', '50'];
  return await onStage(QUIETLY, { version, sandboxArgs }, async (stage) => {
    const { agency, session, userFolder } = stage;
    const { id: workflow } = await activeTrigger(stage, OUR_TRIGGER, reporting(counter));
    return await work({
      agency,
      session,
      workflow,
      executions: new HostDatabase(userFolder),
      thrownAway: () => 0,
      killAndStart: async () => await stage.restart('kill'),
    });
  });
}

/** Does the same with one in queue mode, of whose processes any may be killed. */
export async function withCluster<T>(
  version: HostVersion,
  counter: Counter,
  work: (victim: Victim) => Promise<T>,
): Promise<T> {
  const undo: Undo = [];
  try {
    const folder = await mkdtemp(join(tmpdir(), 'soak-cluster-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const tarball = await pack(folder, ROOT);
    const host = async () => await ensureHost(version, QUIETLY.say);
    const cluster = await startCluster({ host, tarball, ...QUIETLY, undo }, undefined, IMPATIENT);
    const { agency, session, postgres, main, webhook, workers } = cluster;
    const place = { agency, session, n8n: () => webhook };
    const { id: workflow } = await activeTrigger(place, OUR_TRIGGER, reporting(counter));
    const database = new ClusterDatabase(postgres);
    return await work({
      agency,
      session,
      workflow,
      executions: database,
      thrownAway: () => database.thrownAway(workflow),
      killAndStart: async (random) => {
        const member = random.pick([main, webhook, ...workers]);
        await member.kill();
        await member.restart();
      },
    });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
