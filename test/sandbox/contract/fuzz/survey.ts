import type { Agent } from 'node:http';
import fc from 'fast-check';
import { apiOf } from '../../../support/sandbox/api';
import type { Ready } from '../../../support/sandbox/sandbox-process';
import type { KnownIds } from './requests';

/** What must be known of a sandbox to send requests to it. */
export type FuzzTarget = Pick<Ready, 'url' | 'keys' | 'token' | 'tasks' | 'period'>;

/** What a fuzz run knows of the agency. */
export interface Survey {
  ids: KnownIds;
  /** Whether an id belongs to a record that the key `singleCompany` may not see. */
  isHidden(id: string): boolean;
}

/** Reads ids of records, and makes some files and endpoints for the keys `full` and `singleCompany`. */
export async function survey({ url, keys, tasks, period }: FuzzTarget, agent: Agent): Promise<Survey> {
  const api = apiOf(url, agent);
  const idsOf = async (path: string, key: string): Promise<string[]> => {
    const { body } = await api({ method: 'GET', path, key });
    const page: Array<{ id: string }> = Array.isArray(body.data) ? body.data : [];
    return page.map(({ id }) => id);
  };
  const make = async (path: string, content: { body?: unknown; bytes?: Buffer }): Promise<string[]> => {
    const made = [keys.full, keys.singleCompany].map((key) => api({ method: 'POST', path, key, ...content }));
    return (await Promise.all(made)).map(({ body }) => String(body.id));
  };
  const companies = await idsOf('/companies?limit=5', keys.full);
  const documents = await idsOf('/documents?limit=200', keys.full);
  const ownCompanies = await idsOf('/companies', keys.singleCompany);
  const ownDocuments = await idsOf('/documents?limit=200', keys.singleCompany);
  const files = await make('/files?filename=a.txt', { bytes: Buffer.from('a') });
  const endpoints = await make('/webhook-endpoints', {
    body: { url: 'https://127.0.0.1:1/', eventTypes: ['*'] },
  });

  const own = new Set([...ownCompanies, ...ownDocuments]);
  const foreign = new Set(documents.filter((id) => !own.has(id)));
  const companyIds = [...ownCompanies, ...companies];
  return {
    ids: {
      byPath: {
        companies: companyIds,
        documents: [...ownDocuments.slice(0, 5), ...documents.slice(0, 5)],
        files,
        tasks,
        'webhook-endpoints': endpoints,
      },
      byField: {
        companyId: fc.constantFrom(...companyIds),
        fileId: fc.constantFrom(...files),
        period: fc.constantFrom(period, '2026-10', '2026-13'),
      },
    },
    isHidden: (id) => (id.startsWith('cmp_') ? !own.has(id) : foreign.has(id)),
  };
}
