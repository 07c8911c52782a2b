import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { TAKEN } from '../../../nodes/AccountingAgencyTrigger/answer';
import { send } from '../../support/sandbox/send';
import { anEvent, signedCall } from '../../support/trigger/signing';
import { until } from '../../support/time/until';
import type { HostDatabase } from './database';
import type { Target } from './target';

const PATIENCE_MS = 300_000;

/**
 * Sends events to a trigger, `width` at a time, and waits until all their executions have ended.
 *
 * @param waits gets how long each call waited for its answer, in milliseconds
 * @returns events a second, from the first call to the end of the last execution
 */
export async function fire(
  database: HostDatabase,
  target: Target,
  count: number,
  width: number,
  waits: number[] = [],
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  const wanted = ended(database, target) + count;
  const started = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < count) {
      next += 1;
      const sent = performance.now();
      await post(target, agent);
      waits.push(performance.now() - sent);
    }
  };
  try {
    await Promise.all(Array.from({ length: width }, lane));
  } finally {
    agent.destroy();
  }
  await until(`${count} executions to end`, () => ended(database, target) >= wanted, PATIENCE_MS);
  return count / ((performance.now() - started) / 1000);
}

function ended(database: HostDatabase, { id }: Target): number {
  const byStatus = database.executions(id);
  return ['success', 'error', 'crashed', 'canceled'].reduce(
    (sum, status) => sum + (byStatus.get(status) ?? 0),
    0,
  );
}

async function post({ url, secret }: Target, agent: Agent): Promise<void> {
  const id = `evt_${randomUUID()}`;
  const body = JSON.stringify(anEvent({ id }));
  const signed = secret === undefined ? {} : signedCall(body, secret, id).headers;
  const { origin, pathname } = new URL(url);
  const headers = { 'content-type': 'application/json', ...signed };
  const call = { method: 'POST', target: pathname, headers, body: Buffer.from(body) };
  const { status } = await send(origin, agent, call, PATIENCE_MS);
  if (status !== (secret === undefined ? 200 : TAKEN)) throw new Error(`The trigger answered ${status}.`);
}
