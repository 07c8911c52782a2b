import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listExecutions, readExecution } from '../n8n/executions';
import type { Passage } from '../n8n/https';
import type { Session } from '../n8n/session';
import { type Arrival, arrivalOf, type SourceFile } from './journeys';

/** The files of a folder in order of name. */
export async function filesOf(folder: string): Promise<SourceFile[]> {
  const names = (await readdir(folder)).sort((a, b) => a.localeCompare(b));
  return Promise.all(
    names.map(async (name) => ({
      name,
      sha256: createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex'),
    })),
  );
}

/**
 * Collects what the trigger's workflow fetches until `wanted` documents have arrived or the time is
 * over. `passages` is the growing list of calls that came in from outside.
 */
export async function collectArrivals(
  session: Session,
  workflowId: string,
  passages: Passage[],
  wanted: number,
  options: { seconds: number; onArrival: (arrived: number) => void },
): Promise<Arrival[]> {
  const deadline = Date.now() + options.seconds * 1000;
  const seen = new Set<string>();
  const arrivals: Arrival[] = [];
  while (arrivals.length < wanted && Date.now() < deadline) {
    const before = arrivals.length;
    for (const { id } of await listExecutions(session, workflowId)) {
      const execution = seen.has(id) ? undefined : await readExecution(session, id);
      if (!execution) continue;
      seen.add(id);
      const arrival = arrivalOf(execution);
      if (!arrival) continue;
      arrivals.push({ ...arrival, verified: await isVerified(session.url, arrival.event, passages) });
    }
    if (arrivals.length > before) options.onArrival(arrivals.length);
    await sleep(500);
  }
  return arrivals;
}

/**
 * Whether n8n, which took the signed call of this event, answers 401 to the same call with a changed body; undefined
 * when it has not taken such a call: a busy n8n may read the event from the feed before it answers.
 */
async function isVerified(
  url: string,
  event: Arrival['event'],
  passages: Passage[],
): Promise<boolean | undefined> {
  const call = passages.find(({ headers, status }) => headers['webhook-id'] === event.id && status < 300);
  if (!call) return undefined;
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
    name,
    String(call.headers[name]),
  ]);
  const forged = await fetch(`${url}${call.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...Object.fromEntries(signed) },
    body: JSON.stringify({ ...event, companyId: 'forged' }),
  });
  return forged.status === 401;
}
