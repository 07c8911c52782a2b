import { deepEqual } from 'node:assert/strict';
import { arrivedRequests, askAgency } from '../../../../tools/n8n/agency';
import type { Credential } from '../../../../tools/n8n/credentials';
import { waitFor } from '../../../../tools/n8n/processes/process';
import { activate, deactivate, importWorkflow } from '../../../../tools/n8n/workflows';
import { control, keptEndpoints } from '../../support/agency';
import type { OpenStage } from '../../support/stages';
import { lookingUpWorkflow } from '../../support/workflows';

const EVENTS_AT_A_TIME = 15;

/**
 * Events occur while the workflow is unpublished, while n8n is killed and starts again, and while the endpoint is gone.
 * All of them run, each once, and the endpoint is there in the end.
 */
export async function recovery(stage: OpenStage, credential: Credential): Promise<void> {
  const { session } = stage;
  const parameters = { events: ['all'], options: { feedComparisonInterval: 1 } };
  const { id } = await importWorkflow(session, lookingUpWorkflow(credential, parameters));
  const publish = async () => deepEqual(await activate(session, id), { active: true, messages: [] });
  await publish();
  let expected = 0;
  const occur = async () => {
    expected += EVENTS_AT_A_TIME;
    await control(stage.agency, 'events', { count: EVENTS_AT_A_TIME });
  };
  await occur();
  await haveRun(stage, expected);

  await deactivate(session, id);
  await occur();
  await publish();
  await haveRun(stage, expected);

  await Promise.all([stage.restart('kill'), occur()]);
  await haveRun(stage, expected);

  const [endpoint] = keptEndpoints(stage.dataFile);
  await removeEndpoint(stage, String(endpoint?.id));
  await occur();
  await haveRun(stage, expected);
  deepEqual(keptEndpoints(stage.dataFile).length, 1);
  await occur();
  await haveRun(stage, expected);
  await deactivate(session, id);
}

async function removeEndpoint({ agency }: OpenStage, id: string): Promise<void> {
  const headers = { authorization: `Bearer ${agency.keys.full}`, 'idempotency-key': `remove-${id}` };
  await fetch(`${agency.url}/api/v1/webhook-endpoints/${id}`, { method: 'DELETE', headers });
}

/** Waits until the newest events have run, and throws if one of them has run twice. */
async function haveRun(stage: OpenStage, count: number): Promise<void> {
  const expected = (await feed(stage)).slice(-count).sort();
  const ran = await waitFor(
    `${count} events to run`,
    async () => {
      const ids = await lookedUp(stage);
      return ids.length >= count ? ids : undefined;
    },
    { seconds: 300, evidence: () => stage.n8n().tail() },
  );
  deepEqual(ran.sort(), expected);
}

/** The events that the workflow has looked up, as often as it did. */
async function lookedUp({ agency }: OpenStage): Promise<string[]> {
  const paths = (await arrivedRequests(agency)).map(
    ({ path }) => /\/companies\/(evt_[^/?]+)/.exec(path)?.[1],
  );
  return paths.filter((id) => id !== undefined);
}

async function feed({ agency }: OpenStage): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const page = await askAgency<{ data: Array<{ id: string }>; nextCursor: string }>(
      agency,
      `/events?limit=200${after && `&after=${encodeURIComponent(after)}`}`,
    );
    if (page.data.length === 0) return ids;
    ids.push(...page.data.map((event) => event.id));
    after = page.nextCursor;
  }
}
