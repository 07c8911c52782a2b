import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import type { LoggedRequest } from '../../../sandbox/control/request-log';
import { companyById, settingsWhere } from './company';
import type { TestSandbox } from '../sandbox/sandbox';

/** The settings of a company whose export settings are set. */
export async function exportedSettings(sandbox: TestSandbox): Promise<Schemas['CompanySettings']> {
  return await settingsWhere(sandbox, (settings) => settings.export !== null);
}

/** The parameters of an update of a company's settings. */
export function settingsUpdate(companyId: string, fields: INodeParameters): INodeParameters {
  return {
    resource: 'companySettings',
    operation: 'update',
    output: 'all',
    companyId: companyById(companyId),
    ...fields,
  };
}

/** How many requests have arrived. */
export async function requestCount(sandbox: TestSandbox): Promise<number> {
  return (await sandbox.requests()).length;
}

/** What was asked for after the first `before` requests. */
export async function sentAfter(
  sandbox: TestSandbox,
  before: number,
): Promise<Array<Pick<LoggedRequest, 'method' | 'query' | 'bodyLength' | 'bodySha256'>>> {
  const requests = (await sandbox.requests()).slice(before);
  return requests.map(({ method, query, bodyLength, bodySha256 }) => ({
    method,
    query,
    bodyLength,
    bodySha256,
  }));
}
