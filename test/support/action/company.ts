import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import type { TestSandbox } from '../sandbox/sandbox';

/** A company as a parameter, by its ID or by an expression. */
export function companyById(value: string): INodeParameters {
  return { __rl: true, mode: 'id', value };
}

/** The companies of the first page that a key may see: at least two of the key `full`, one of `singleCompany`. */
export async function listedCompanies(
  sandbox: TestSandbox,
  key = sandbox.keys.full,
): Promise<[Schemas['Company'], ...Array<Schemas['Company']>]> {
  const { body } = await sandbox.call<{ data: Array<Schemas['Company']> }>({ path: '/companies', key });
  const [first, ...others] = body.data;
  if (first === undefined) throw new Error('The key may see no company.');
  return [first, ...others];
}

/** A company as the sandbox has it. */
export async function readCompany(sandbox: TestSandbox, id: string): Promise<Schemas['Company']> {
  return (await sandbox.call<Schemas['Company']>({ path: `/companies/${id}` })).body;
}

/** The parameters of an update of a company, which outputs it whole. */
export function companyUpdate(
  companyId: string,
  updateFields: INodeParameters,
  more: INodeParameters = {},
): INodeParameters {
  return {
    resource: 'company',
    operation: 'update',
    companyId: companyById(companyId),
    updateFields,
    output: 'all',
    ...more,
  };
}

/** The settings of a company of the seed that fit. */
export async function settingsWhere(
  sandbox: TestSandbox,
  fits: (settings: Schemas['CompanySettings']) => boolean,
): Promise<Schemas['CompanySettings']> {
  for (const { id } of await listedCompanies(sandbox)) {
    const settings = await readSettings(sandbox, id);
    if (fits(settings)) return settings;
  }
  throw new Error('No company of the first page has such settings.');
}

/** The settings of a company as the sandbox has them. */
export async function readSettings(sandbox: TestSandbox, id: string): Promise<Schemas['CompanySettings']> {
  const { body } = await sandbox.call<Schemas['CompanySettings']>({ path: `/companies/${id}/settings` });
  return body;
}
