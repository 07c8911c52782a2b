import type { INodeParameters } from 'n8n-workflow';
import type { Records } from '../../nodes/shared/api/types';
import type { TestSandbox } from './sandbox';

/** A company as a parameter, by its ID or by an expression. */
export function companyById(value: string): INodeParameters {
  return { __rl: true, mode: 'id', value };
}

/** The settings of a company of the seed that fit. */
export async function settingsWhere(
  sandbox: TestSandbox,
  fits: (settings: Records['CompanySettings']) => boolean,
): Promise<Records['CompanySettings']> {
  const { body } = await sandbox.call<{ data: Array<Records['Company']> }>({ path: '/companies' });
  for (const { id } of body.data) {
    const settings = await readSettings(sandbox, id);
    if (fits(settings)) return settings;
  }
  throw new Error('No company of the first page has such settings.');
}

/** The settings of a company as the sandbox has them. */
export async function readSettings(sandbox: TestSandbox, id: string): Promise<Records['CompanySettings']> {
  const { body } = await sandbox.call<Records['CompanySettings']>({ path: `/companies/${id}/settings` });
  return body;
}
