import { deepEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { arrivedRequests } from '../../../../tools/n8n/agency';
import type { Credential } from '../../../../tools/n8n/credentials';
import { Halt } from '../../../../tools/n8n/processes/halt';
import { activate, importWorkflow } from '../../../../tools/n8n/workflows';
import { keptEndpoints } from '../../support/agency';
import { isTaken } from '../../support/calls';
import type { Cluster } from '../../support/cluster';
import { lookingUpWorkflow } from '../../support/workflows';

const TRIES = 60;
const PAUSE_MS = 1_000;

/** What nothing at the sandbox causes by itself. */
const TYPE = 'task.completed';

/** An active workflow whose next node asks the agency for a company with the event's ID. */
export interface Inbox {
  cluster: Cluster;
  workflow: string;
  /** Sends an event as the agency does: again, until it is taken. */
  deliver(event: string): Promise<void>;
}

/** Saves and activates such a workflow. */
export async function openInbox(cluster: Cluster, credential: Credential): Promise<Inbox> {
  const { session, webhook, dataFile } = cluster;
  const { id } = await importWorkflow(session, lookingUpWorkflow(credential, { events: [TYPE] }));
  deepEqual(await activate(session, id), { active: true, messages: [] });
  const [endpoint] = keptEndpoints(dataFile);
  ok(endpoint, 'The agency has no endpoint.');
  const url = `${webhook.url}${new URL(endpoint.url).pathname}`;
  return {
    cluster,
    workflow: id,
    deliver: async (event) => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        if (await isTaken({ url, secret: endpoint.secret, id: event, type: TYPE })) return;
        await sleep(PAUSE_MS);
      }
      throw new Halt(`n8n did not take the event ${event} in ${TRIES} tries.\n${webhook.tail()}`);
    },
  };
}

/** How often the next node has asked for each event. */
export async function lookUps({ cluster }: Pick<Inbox, 'cluster'>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { method, path } of await arrivedRequests(cluster.agency)) {
    const event = /\/companies\/(evt_[^/]+)$/.exec(path)?.[1];
    if (method === 'GET' && event) counts.set(event, (counts.get(event) ?? 0) + 1);
  }
  return counts;
}
