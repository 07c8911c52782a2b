import { Agent } from 'node:http';
import fc from 'fast-check';
import { contractProblems } from '../../../support/sandbox/contract';
import { readAll } from '../../../support/sandbox/pages';
import type { TestSandbox } from '../../../support/sandbox/sandbox';
import { send, type WireAnswer, type WireRequest } from '../../../support/sandbox/send';
import { type KnownIds, requests } from './requests';

/** Whether an id belongs to a record that the caller may not see. */
type IsHidden = (id: string) => boolean;

/** What was sent, and what was wrong with the answers. */
export interface FuzzResult {
  /** Answers by status. */
  statuses: Record<number, number>;
  /** What was wrong, each with its request. */
  faults: string[];
}

/**
 * Sends random requests to a sandbox without a rate limit, and judges every answer.
 *
 * @param width how many are under way at once
 */
export async function fuzz(
  sandbox: TestSandbox,
  seed: number,
  count: number,
  width: number,
): Promise<FuzzResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  try {
    const { ids, isHidden } = await survey(sandbox);
    const { keys, token, url } = sandbox;
    // The restricted key most often: it is the one that can see too much.
    const restrictedKey = keys.singleCompany;
    const good = [restrictedKey, restrictedKey, restrictedKey, keys.full, keys.other, keys.readonly, token];
    const tokens = [...good, ...good, keys.revoked, keys.foreign];
    const queue = fc.sample(requests(ids, tokens), { seed, numRuns: count });
    const result: FuzzResult = { statuses: {}, faults: [] };
    const worker = async () => {
      for (let request = queue.pop(); request !== undefined; request = queue.pop()) {
        const isRestricted = request.headers.authorization === `Bearer ${restrictedKey}`;
        const [sent] = await Promise.allSettled([send(url, agent, request)]);
        const { status } = sent.status === 'fulfilled' ? sent.value : { status: 0 };
        result.statuses[status] = (result.statuses[status] ?? 0) + 1;
        const fault =
          sent.status === 'rejected'
            ? `is not answered: ${String(sent.reason)}`
            : faultOf(request, sent.value, isRestricted ? isHidden : () => false);
        if (fault === undefined) continue;
        const body = request.body?.toString('latin1').slice(0, 2000);
        result.faults.push(`${fault}\n  ${JSON.stringify({ ...request, body })}`);
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
    return result;
  } finally {
    agent.destroy();
  }
}

/** Reads ids of records, and makes some files and endpoints for the keys `full` and `singleCompany`. */
async function survey(sandbox: TestSandbox) {
  const { keys, tasks, period } = sandbox;
  const idsOf = async (path: string, key: string): Promise<string[]> =>
    (await readAll<{ id: string }>(sandbox, path, {}, key)).map(({ id }) => id);
  const make = async (path: string, body: unknown): Promise<string[]> => {
    const made = [keys.full, keys.singleCompany].map((key) =>
      sandbox.call<{ id: string }>({ method: 'POST', path, key, body }),
    );
    return (await Promise.all(made)).map((answer) => answer.body.id);
  };
  const documents = await idsOf('/documents', keys.full);
  const ownCompanies = await idsOf('/companies', keys.singleCompany);
  const ownDocuments = await idsOf('/documents', keys.singleCompany);
  const companies = [...ownCompanies, ...(await idsOf('/companies', keys.full)).slice(0, 5)];
  const files = await make('/files?filename=a.txt', Buffer.from('a'));
  const endpoint = { url: 'https://127.0.0.1:1/', eventTypes: ['*'] };
  const endpoints = await make('/webhook-endpoints', endpoint);

  const own = new Set([...ownCompanies, ...ownDocuments]);
  const foreign = new Set(documents.filter((id) => !own.has(id)));
  const ids: KnownIds = {
    byPath: {
      companies,
      documents: [...ownDocuments.slice(0, 5), ...documents.slice(0, 5)],
      files,
      tasks,
      'webhook-endpoints': endpoints,
    },
    byField: {
      companyId: fc.constantFrom(...companies),
      fileId: fc.constantFrom(...files),
      period: fc.constantFrom(period, '2026-10', '2026-13'),
    },
  };
  const isHidden: IsHidden = (id) => (id.startsWith('cmp_') ? !own.has(id) : foreign.has(id));
  return { ids, isHidden };
}

const ID = /\b(?:cmp|doc|task|per)_[\w-]+/g;

/** What is wrong with an answer; nothing when all is well. */
function faultOf(request: WireRequest, answer: WireAnswer, isHidden: IsHidden): string | undefined {
  const { method, target } = request;
  const { status, headers } = answer;
  const text = answer.body.toString('utf8');
  if (status >= 500) return `answers ${status}: ${text}`;
  // What the request names itself does not count as shown.
  const asked = target + (request.body?.toString('utf8') ?? '');
  const shown = (text.match(ID) ?? []).find((id) => isHidden(id) && !asked.includes(id));
  if (shown !== undefined) return `shows ${shown}, which belongs to another company`;
  // The answer to HEAD has no body by HTTP's own rule.
  if (method === 'HEAD') return undefined;
  const [path = ''] = target.split('?');
  const isJson = (headers.get('content-type') ?? '').startsWith('application/json');
  const body: unknown = isJson ? JSON.parse(text) : undefined;
  const problems = contractProblems({ method, path, status, headers, body });
  return problems.length === 0 ? undefined : problems.join('; ');
}
