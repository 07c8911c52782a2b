import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import type { ErrorCode } from '../../../../sandbox/records';
import { runAction } from '../../../support/action/action';
import { companyById, listedCompanies, settingsWhere } from '../../../support/action/company';
import type { NodeRun } from '../../../support/engine';
import type { TestSandbox } from '../../../support/sandbox/sandbox';

/** A run of the node that the agency refuses. */
export interface Refused {
  parameters: INodeParameters;
  changes?: Partial<NodeRun>;
}

/** A run of which nothing is wrong. */
export const companies: INodeParameters = { resource: 'company', operation: 'getAll' };

/** Runs with another key. */
export const by = ({ url }: TestSandbox, token: string) => ({ credential: { address: url, token } });

/** An answer that this sandbox gives only when it is told to, as often as the node asks. */
export async function planned(
  sandbox: TestSandbox,
  code: ErrorCode,
  { parameters = companies, status }: { parameters?: INodeParameters; status?: number } = {},
): Promise<Refused> {
  const fault = { fault: 'status', code, times: 100, ...(status !== undefined && { status }) };
  await sandbox.control('faults', [fault]);
  return { parameters };
}

/** An input item with a file of that name and type. */
export const file = (name: string, type: string) =>
  async function (this: IExecuteFunctions) {
    return [
      { json: {}, binary: { data: await this.helpers.prepareBinaryData(Buffer.from('x'), name, type) } },
    ];
  };

/** Submits a result of the first open task. */
export const submit = ({ tasks }: TestSandbox, more: INodeParameters = {}): INodeParameters => ({
  resource: 'task',
  operation: 'submitResult',
  taskId: tasks[0] ?? '',
  status: 'done',
  ...more,
});

/** Replaces the playbook of a company, said to be of that version. */
export async function replacePlaybook(sandbox: TestSandbox, version: string): Promise<INodeParameters> {
  const [company] = await listedCompanies(sandbox);
  return {
    resource: 'companyPlaybook',
    operation: 'replace',
    companyId: companyById(company.id),
    version,
    markdown: '# New',
  };
}

/** A change of agent settings, which needs an approval. */
export async function guarded(sandbox: TestSandbox, more: INodeParameters = {}): Promise<INodeParameters> {
  const { companyId } = await settingsWhere(sandbox, ({ agent }) => agent.mcpEnabled);
  return {
    resource: 'companySettings',
    operation: 'update',
    companyId: companyById(companyId),
    agent: { mcpEnabled: false },
    ...more,
  };
}

/** The same change with an approval that was asked for, and perhaps decided. */
export async function asked(sandbox: TestSandbox, decision?: 'rejected'): Promise<Refused> {
  const { outputs } = await runAction(sandbox, await guarded(sandbox, { whenApprovalNeeded: 'output' }));
  const approvalId = String(outputs[0]?.[0]?.json.approvalId);
  if (decision) await sandbox.control(`approvals/${approvalId}/decide`, { decision });
  return { parameters: await guarded(sandbox, { options: { approvalId } }) };
}

/** A company that the key `singleCompany` may not see. */
export async function otherCompany(sandbox: TestSandbox): Promise<string> {
  const [own] = await listedCompanies(sandbox, sandbox.keys.singleCompany);
  const other = (await listedCompanies(sandbox)).find(({ id }) => id !== own.id);
  if (other === undefined) throw new Error('The seed has one company only.');
  return other.id;
}
