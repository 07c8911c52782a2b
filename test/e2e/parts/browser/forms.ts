import type { Credential } from '../../../../tools/n8n/credentials';
import type { Session } from '../../../../tools/n8n/session';
import { importWorkflow } from '../../../../tools/n8n/workflows';

const ACTION = 'n8n-nodes-accounting-agency.accountingAgency';
const UNCHOSEN = { __rl: true, mode: 'list', value: '' };

/** The nodes of a workflow for looking at forms, by their names. */
const FORMS = {
  'Update settings': {
    resource: 'companySettings',
    operation: 'update',
    companyId: UNCHOSEN,
    accountingPolicy: {
      warehouse: { required: 'true' },
      type: {},
      journal: {},
      allocation: {},
      vatClass: {},
    },
  },
  'Update company': { resource: 'company', operation: 'update', companyId: UNCHOSEN },
  'Create endpoint': { resource: 'webhookEndpoint', operation: 'create' },
  'Unknown company': {
    resource: 'company',
    operation: 'get',
    companyId: { __rl: true, mode: 'id', value: 'no-such-company' },
  },
};

/** A change of a company's agent switches. */
export interface GuardedChange {
  companyId: string;
  agent: { mcpEnabled: boolean };
}

const waitingFor = ({ companyId, agent }: GuardedChange) => ({
  resource: 'companySettings',
  operation: 'update',
  companyId: { __rl: true, mode: 'id', value: companyId },
  agent,
  whenApprovalNeeded: 'wait',
  checkEverySeconds: 1,
});

/**
 * Makes a workflow with a node for each form, one that makes a guarded change of a company as soon as it is approved,
 * and one as an AI agent's tool; gives its id.
 */
export async function importForms(
  session: Session,
  { id, name, type }: Credential,
  guarded: GuardedChange,
): Promise<string> {
  const node = (label: string, y: number, parameters: Record<string, unknown>, kind = ACTION) => ({
    id: label,
    name: label,
    type: kind,
    typeVersion: 1,
    position: [0, y],
    parameters,
    credentials: { [type]: { id, name } },
  });
  const forms = { ...FORMS, 'Guarded change': waitingFor(guarded) };
  const nodes = Object.entries(forms).map(([label, parameters], index) =>
    node(label, index * 200, parameters),
  );
  const tool = node('Tool', 1000, { resource: 'company', operation: 'getAll' }, `${ACTION}Tool`);
  const { id: workflow } = await importWorkflow(session, {
    name: 'Forms',
    nodes: [...nodes, tool],
    connections: {},
  });
  return workflow;
}
