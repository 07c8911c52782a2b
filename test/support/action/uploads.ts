import type { INodeParameters } from 'n8n-workflow';
import type { FaultPlan } from '../../../sandbox/control/faults';
import type { LoggedRequest } from '../../../sandbox/control/request-log';
import { companyById } from './company';
import { loadEngine } from '../engine';
import type { TestSandbox } from '../sandbox/sandbox';

/** The id of a company of the sandbox that its key for everything may see. */
export async function someCompany(sandbox: TestSandbox): Promise<string> {
  const { body } = await sandbox.call<{ data: Array<{ id: string }> }>({
    path: '/companies',
    query: { limit: 1 },
  });
  const [company] = body.data;
  if (company === undefined) throw new Error('The sandbox has no company.');
  return company.id;
}

/**
 * The company that all tests of a file work with.
 *
 * @returns its ID, while tests run
 */
export function useCompany(sandbox: () => TestSandbox): () => string {
  let company = '';
  beforeAll(async () => {
    await loadEngine();
    company = await someCompany(sandbox());
    await sandbox().control('reset');
  });
  return () => company;
}

/**
 * The documents of the seed's first page, which all tests of a file read.
 *
 * @returns their IDs, while tests run
 */
export function useDocuments(sandbox: () => TestSandbox): () => string[] {
  let ids: string[] = [];
  beforeAll(async () => {
    await loadEngine();
    const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/documents' });
    ids = body.data.map(({ id }) => id);
    await sandbox().control('reset');
  });
  return () => ids;
}

/** The agency takes a file once more, but does not file it. */
export const REFUSED_FILING: FaultPlan = {
  method: 'POST',
  path: '/documents',
  times: 1,
  fault: 'status',
  status: 403,
  code: 'FORBIDDEN',
};

/** A document of a company with a file that has just arrived by e-mail. */
export async function arrived(
  sandbox: TestSandbox,
  companyId: string,
  filename: string,
  bytes: Buffer,
): Promise<{ id: string }> {
  const contentBase64 = bytes.toString('base64');
  return await sandbox.control('documents', { companyId, source: 'email', filename, contentBase64 });
}

/** Parameters of Document: Upload, with the record as it is. */
export function uploadTo(companyId: string, changes: INodeParameters = {}): INodeParameters {
  return {
    resource: 'document',
    operation: 'upload',
    companyId: companyById(companyId),
    binaryPropertyName: 'data',
    output: 'all',
    ...changes,
  };
}

/** The requests of a method to a path below `/api/v1`. */
export async function requestsTo(
  sandbox: TestSandbox,
  method: string,
  path: string,
): Promise<LoggedRequest[]> {
  const requests = await sandbox.requests();
  return requests.filter((request) => request.method === method && request.path === `/api/v1${path}`);
}

/** What was asked for, e.g. `POST /files`, in order of arrival. */
export async function trail(sandbox: TestSandbox): Promise<string[]> {
  return (await sandbox.requests()).map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);
}
