import { createCredential } from '../../../tools/n8n/credentials';
import type { Part } from '../part';
import { startCluster } from '../support/cluster';
import { N8N_1_QUEUE, N8N_2_QUEUE } from '../variants';
import { burst } from './queue/burst';
import { killedMachine, killedWorker } from './queue/kills';
import { openInbox } from './queue/inbox';
import { makeFiles, openUploads, uploadsEach } from './queue/uploads';

/** A killed worker is missed sooner than by itself, where n8n takes up to a minute and a half. */
const IMPATIENT = {
  QUEUE_WORKER_LOCK_DURATION: '10000',
  QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
  QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** An n8n of several processes: nothing is lost and nothing done twice, also when one of them is killed. */
export const queue: Part = {
  name: 'queue',
  on: [N8N_2_QUEUE, N8N_1_QUEUE],
  async run(context) {
    const files = await makeFiles(context.undo);
    const cluster = await startCluster(context, files.folder, IMPATIENT);
    const credential = await createCredential(cluster.session, {
      name: 'Accounting Agency account',
      type: 'accountingAgencyApi',
      data: { address: cluster.agency.url, token: cluster.agency.keys.full },
    });
    const uploads = await openUploads(cluster, credential, files);
    await context.check('each file becomes one document, out of files in the database', () =>
      uploadsEach(uploads),
    );
    const inbox = await openInbox(cluster, credential);
    await burst(context, cluster, inbox);
    const scene = { cluster, credential, files, inbox };
    await killedWorker(context, scene);
    await killedMachine(context, scene);
  },
};
