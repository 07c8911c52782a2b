import { Agent } from 'node:http';
import type { Stage } from '../../../tools/n8n/stage';
import { HostDatabase } from '../../bench/host/database';
import { activeTrigger, OUR_TRIGGER, TRIGGER } from '../../bench/host/target';
import { concurrently } from '../../support/time/concurrency';
import { until } from '../../support/time/until';
import { genuineCall, hostileCall, post } from './calls';
import { type Counter, startCounter } from './counter';
import type { Memory, MemoryReport } from './memory';

const WIDTH = 20;
/** One in so many genuine events is called in twice at once, and as many of them once more, half of the list later. */
const REPEATED = 5;
const PATIENCE_MS = 600_000;

/** What became of a mix of genuine and hostile calls. */
export interface SiegeResult {
  /** Events whose next nodes ran another number of times than once. */
  wrong: string[];
  /** Next nodes that ran for something else. */
  foreign: string[];
  /** Hostile calls that were taken, as the numbers of their kinds. */
  taken: number[];
  /** Genuine calls that were refused, as their statuses. */
  refused: number[];
  /** The memory of n8n when the executions of a third of the calls have ended, of two thirds, and of all. */
  memory: Memory[];
}

/**
 * Calls the trigger of a real n8n, many at a time, and counts for which events its next node ran.
 *
 * @param stage whose n8n was started with the environment of `report`
 */
export async function siege(
  stage: Stage,
  report: MemoryReport,
  genuine: number,
  hostile: number,
): Promise<SiegeResult> {
  const counter = await startCounter();
  const agent = new Agent({ keepAlive: true, maxSockets: WIDTH });
  const result: SiegeResult = { wrong: [], foreign: [], taken: [], refused: [], memory: [] };
  try {
    const target = await activeTrigger(stage, OUR_TRIGGER, reporting(counter));
    const database = new HostDatabase(stage.userFolder);
    const secret = database.endpoint(target.id, TRIGGER).secret;
    const ids = Array.from({ length: genuine }, (_, index) => `evt_${index}`);

    const trust = async (id: string) => {
      const status = await post(target.url, agent, genuineCall(secret, id));
      if (status !== 202) result.refused.push(status);
    };
    const attack = async (number: number) => {
      const status = await post(target.url, agent, hostileCall(secret, number));
      if (status < 400) result.taken.push(number);
    };
    const work = mixed(ids, hostile, trust, attack);
    for (let part = 1; part <= 3; part += 1) {
      await concurrently(work.splice(0, Math.ceil(work.length / (4 - part))), WIDTH);
      // n8n would close the idle connections itself, perhaps just when the next call is sent.
      agent.destroy();
      await until('all executions to end', () => unfinished(database, target.id) === 0, PATIENCE_MS);
      result.memory.push(await report.of(stage.n8n().pid));
    }
    result.wrong = ids.filter((id) => counter.runs.get(id)?.length !== 1);
    result.foreign = [...counter.runs.keys()].filter((id) => !ids.includes(id));
    return result;
  } finally {
    await counter.close();
  }
}

/** A next node that tells the counter for which event it runs. */
export const reporting = ({ url }: Counter) => ({
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  parameters: { method: 'POST', url: `=${url}/{{ $json.id }}`, options: {} },
});

type Work = () => Promise<unknown>;

/**
 * Genuine calls, some of them repeated at once, and again half of the list later, with hostile ones spread between them.
 * They come evenly, so that no third of the calls begins more executions at a time than another.
 */
function mixed(
  ids: string[],
  hostile: number,
  trust: (id: string) => Promise<void>,
  attack: (number: number) => Promise<void>,
): Work[] {
  const each = Math.ceil(hostile / ids.length);
  const half = Math.floor(ids.length / 2);
  return ids.flatMap((id, index): Work[] => {
    const earlier = ids[index - half];
    // Only the first half can come again, so twice as many of it do.
    const again = earlier !== undefined && (index - half) % REPEATED < 2;
    return [
      index % REPEATED === 0
        ? async () => await Promise.all([trust(id), trust(id)])
        : async () => await trust(id),
      ...Array.from(
        { length: each },
        (_, number): Work =>
          async () =>
            await attack(index * each + number),
      ),
      ...(again ? [async () => await trust(earlier)] : []),
    ];
  });
}

function unfinished(database: HostDatabase, workflow: string): number {
  const byStatus = database.executions(workflow);
  return ['new', 'running', 'waiting'].reduce((sum, status) => sum + (byStatus.get(status) ?? 0), 0);
}
