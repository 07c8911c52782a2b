import { deepEqual } from 'node:assert/strict';
import { listExecutions } from '../../../../tools/n8n/executions';
import { waitFor } from '../../../../tools/n8n/processes/process';
import { concurrently } from '../../../support/time/concurrency';
import type { Context } from '../../part';
import type { Cluster } from '../../support/cluster';
import { type Inbox, lookUps } from './inbox';

const EVENTS = 300;
/** So many more come while processes are restarted. */
const LATE = 60;
const IN_FLIGHT = 10;
/** One event in so many comes twice at the same moment. */
const TWIN = 5;
const RUN_SECONDS = 300;
/** No execution of this workflow takes longer: when nothing has happened for so long, nothing is left to do. */
const QUIET_MS = 6_000;

/** Sends many events at a time and repeats each, across restarts. */
export async function burst({ check }: Context, cluster: Cluster, inbox: Inbox): Promise<void> {
  const events = Array.from({ length: EVENTS }, (_, index) => `evt_burst_${index}`);
  const twins = events.filter((_, index) => index % TWIN === 0);
  const singles = events.filter((event) => !twins.includes(event));
  await check(`${EVENTS} events, ${IN_FLIGHT} at a time and repeated, run the next nodes once`, async () => {
    const twice = async (event: string) => {
      await Promise.all([inbox.deliver(event), inbox.deliver(event)]);
    };
    const first = events.map((event) => () => (twins.includes(event) ? twice(event) : inbox.deliver(event)));
    const again = singles.map((event) => () => inbox.deliver(event));
    await concurrently([...first, ...again], IN_FLIGHT);
    await expectOnce(inbox, events);
  });
  await check('events that come while processes are restarted, and again after it, run once', async () => {
    const late = events.slice(0, LATE).map((event) => event.replace('burst', 'restart'));
    const [worker] = cluster.workers;
    await Promise.all([
      concurrently(
        [...late, ...late].map((event) => () => inbox.deliver(event)),
        IN_FLIGHT,
      ),
      worker.restart(),
      cluster.webhook.kill().then(() => cluster.webhook.restart()),
    ]);
    await concurrently(
      [...late, ...twins].map((event) => () => inbox.deliver(event)),
      IN_FLIGHT,
    );
    await expectOnce(inbox, [...events, ...late]);
  });
}

/** Throws unless the next node ran once for each event, when all is done. */
async function expectOnce(inbox: Inbox, events: string[]): Promise<void> {
  await waitFor(
    'each event to run the next node',
    async () => ((await missing(inbox, events)) ? undefined : true),
    {
      seconds: RUN_SECONDS,
      evidence: () => inbox.cluster.workers.map((worker) => worker.tail()).join('\n'),
    },
  );
  await quiet(inbox);
  const counts = await lookUps(inbox);
  deepEqual(
    events.filter((event) => counts.get(event) !== 1).map((event) => `${event}: ${counts.get(event)}`),
    [],
  );
}

async function missing(inbox: Inbox, events: string[]): Promise<boolean> {
  const counts = await lookUps(inbox);
  return events.some((event) => !counts.has(event));
}

/** Waits until executions come to no more ends. */
async function quiet(inbox: Inbox): Promise<void> {
  let before = await state(inbox);
  let since = Date.now();
  await waitFor(
    'the executions to end',
    async () => {
      const now = await state(inbox);
      if (now !== before) since = Date.now();
      before = now;
      return Date.now() - since > QUIET_MS || undefined;
    },
    { seconds: RUN_SECONDS, everyMs: 1_000 },
  );
}

/** Something that is another when an execution has begun or ended. */
async function state({ cluster, workflow }: Inbox): Promise<string> {
  const executions = await listExecutions(cluster.session, workflow);
  const logs = cluster.workers.map((worker) => worker.tail(1));
  return JSON.stringify([executions.map(({ id, status }) => [id, status]), logs]);
}
