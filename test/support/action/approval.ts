import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import type { LoggedRequest } from '../../../sandbox/control/request-log';
import { runAction } from './action';
import { companyById, readSettings, settingsWhere } from './company';
import type { TestSandbox } from '../sandbox/sandbox';

/** An approval as the node outputs it. */
export interface Asked {
  approvalId: string;
  approvalUrl: string;
  expiresAt: string;
}

/** A link in an error's description, as n8n's editor shows it: on a line of its own. */
export const linkInEditor = (url: string): string => `<br><a href="${url}" target="_blank">${url}</a><br>`;

/** A change that an administrator must approve: it switches a company's MCP access off. */
export interface GuardedChange {
  /** The settings of the company before. */
  settings: () => Schemas['CompanySettings'];
  /** The parameters of the change. */
  change: (more?: INodeParameters) => INodeParameters;
  /** The requests for the change that arrived, oldest first. */
  patches: () => Promise<LoggedRequest[]>;
  isChanged: () => Promise<boolean>;
  /** What the node outputs of any approval for the change. */
  anyApproval: () => object;
  /** Asks for the approval, as "Output the Approval" does. */
  ask: () => Promise<Asked>;
  decide: (asked: Pick<Asked, 'approvalId'>, decision: 'approved' | 'rejected') => Promise<unknown>;
}

/** Such a change, of the same company in each test of a file. */
export function useGuardedChange(sandbox: () => TestSandbox): GuardedChange {
  let settings: Schemas['CompanySettings'];
  beforeEach(async () => {
    settings = await settingsWhere(sandbox(), ({ agent }) => agent.mcpEnabled);
  });
  const change = (more: INodeParameters = {}): INodeParameters => ({
    resource: 'companySettings',
    operation: 'update',
    output: 'all',
    companyId: companyById(settings.companyId),
    agent: { mcpEnabled: false },
    ...more,
  });
  return {
    settings: () => settings,
    change,
    patches: async () => (await sandbox().requests()).filter(({ method }) => method === 'PATCH'),
    isChanged: async () => !(await readSettings(sandbox(), settings.companyId)).agent.mcpEnabled,
    anyApproval: () => ({
      approvalRequired: true,
      companyId: settings.companyId,
      approvalId: expect.stringMatching(/^apr/),
      approvalUrl: expect.stringContaining(sandbox().url),
      expiresAt: expect.any(String),
      reason: expect.any(String),
    }),
    async ask() {
      const { outputs } = await runAction(sandbox(), change({ whenApprovalNeeded: 'output' }));
      const { approvalId, approvalUrl, expiresAt } = outputs[0]?.[0]?.json ?? {};
      return {
        approvalId: String(approvalId),
        approvalUrl: String(approvalUrl),
        expiresAt: String(expiresAt),
      };
    },
    decide: async ({ approvalId }, decision) =>
      await sandbox().control(`approvals/${approvalId}/decide`, { decision }),
  };
}
