import { Agent } from 'node:http';
import fc from 'fast-check';
import { send, type WireAnswer, type WireRequest } from '../../../support/sandbox/send';
import { requests } from './requests';
import { type FuzzTarget, survey } from './survey';
import { faultOf } from './verdict';

/** How much is sent. */
export interface FuzzOptions {
  /** Seed of the requests; the same makes the same ones. */
  seed: number;
  count: number;
  /** How many are under way at once. */
  width: number;
}

/** What was sent, and what was wrong with the answers. */
export interface FuzzResult {
  /** Answers by status. */
  statuses: Record<number, number>;
  /** What was wrong, each with its request. */
  faults: string[];
}

/** Sends random requests to a sandbox without a rate limit, and judges every answer. */
export async function fuzz(sandbox: FuzzTarget, { seed, count, width }: FuzzOptions): Promise<FuzzResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  try {
    const known = await survey(sandbox, agent);
    const { keys, token } = sandbox;
    // The restricted key most often: it is the one that can see too much.
    const restrictedKey = keys.singleCompany;
    const good = [restrictedKey, restrictedKey, restrictedKey, keys.full, keys.other, keys.readonly, token];
    const tokens = [...good, ...good, keys.revoked, keys.foreign];
    const queue = fc.sample(requests(known.ids, tokens), { seed, numRuns: count });
    const result: FuzzResult = { statuses: {}, faults: [] };
    const worker = async () => {
      for (let request = queue.pop(); request !== undefined; request = queue.pop()) {
        const restricted = request.headers.authorization === `Bearer ${restrictedKey}`;
        await judge(sandbox.url, agent, request, restricted ? known.isHidden : () => false, result);
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
    return result;
  } finally {
    agent.destroy();
  }
}

async function judge(
  url: string,
  agent: Agent,
  request: WireRequest,
  isHidden: (id: string) => boolean,
  result: FuzzResult,
) {
  const answer = await answerTo(url, agent, request);
  if (typeof answer !== 'string') result.statuses[answer.status] = (result.statuses[answer.status] ?? 0) + 1;
  const fault = typeof answer === 'string' ? answer : faultOf(request, answer, isHidden);
  if (fault === undefined) return;
  const { method, target, headers, body } = request;
  const text = body?.toString('latin1').slice(0, 2000);
  result.faults.push(`${fault}\n  ${JSON.stringify({ method, target, headers, body: text })}`);
}

/** The answer, or why there is none. */
async function answerTo(url: string, agent: Agent, request: WireRequest): Promise<WireAnswer | string> {
  try {
    return await send(url, agent, request);
  } catch (reason) {
    return `is not answered: ${String(reason)}`;
  }
}
