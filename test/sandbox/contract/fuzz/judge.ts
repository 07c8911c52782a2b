import fc from 'fast-check';
import { contractProblems } from '../../../support/sandbox/contract';
import { readAll } from '../../../support/sandbox/pages';
import type { TestSandbox } from '../../../support/sandbox/sandbox';
import type { WireAnswer, WireRequest } from '../../../support/sandbox/send';
import type { KnownIds } from './requests';

/** Whether an id belongs to a record that the caller may not see. */
type IsHidden = (id: string) => boolean;

/** Reads ids of records, and makes some files and endpoints for the keys `full` and `singleCompany`. */
export async function survey(sandbox: TestSandbox) {
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

/** What is wrong with an answer; empty: nothing. */
export function problemsOf(request: WireRequest, answer: WireAnswer, isHidden: IsHidden): string[] {
  const { method, target } = request;
  const { status, headers } = answer;
  const text = answer.body.toString('utf8');
  if (status >= 500) return [`answers ${status}: ${text}`];
  // What the request names itself does not count as shown.
  const asked = target + (request.body?.toString('utf8') ?? '');
  const shown = (text.match(ID) ?? []).filter((id) => isHidden(id) && !asked.includes(id));
  if (shown.length > 0) return [`shows ${shown.join()}, of another company`];
  // The answer to HEAD has no body by HTTP's own rule.
  if (method === 'HEAD') return [];
  const [path = ''] = target.split('?');
  const isJson = (headers.get('content-type') ?? '').startsWith('application/json');
  return contractProblems({ method, path, status, headers, body: isJson ? JSON.parse(text) : undefined });
}
