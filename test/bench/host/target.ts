import { randomUUID } from 'node:crypto';
import { createCredential } from '../../../tools/n8n/credentials';
import type { Stage } from '../../../tools/n8n/stage';
import { activate, importWorkflow } from '../../../tools/n8n/workflows';
import { BARE_TRIGGER } from './bare-package';

export const OUR_TRIGGER = 'n8n-nodes-accounting-agency.accountingAgencyTrigger';

/** The name of the trigger node in its workflow. */
export const TRIGGER = 'Trigger';

/** One active workflow with a trigger, and where to call it. */
export interface Target {
  id: string;
  url: string;
  /** What its calls are signed with, if they are. */
  secret?: string;
}

/** The node after a trigger. */
export interface NextNode {
  type: string;
  typeVersion: number;
  parameters: Record<string, unknown>;
}

const NOTHING: NextNode = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

/** Where a workflow is saved, and what takes its calls. */
export interface Place extends Pick<Stage, 'agency' | 'session'> {
  n8n(): { url: string };
}

/** Saves a workflow of a trigger and a node after it, and activates it. */
export async function activeTrigger(stage: Place, type: string, next = NOTHING): Promise<Target> {
  const { agency, session } = stage;
  const webhookId = randomUUID();
  const credential = await createCredential(session, {
    name: `Agency of ${type}`,
    type: 'accountingAgencyApi',
    data: { address: agency.url, token: agency.keys.full },
  });
  const { id } = await importWorkflow(session, {
    name: type,
    nodes: [
      {
        id: randomUUID(),
        name: TRIGGER,
        type,
        typeVersion: 2,
        position: [0, 0],
        parameters: {},
        webhookId,
        ...(type !== BARE_TRIGGER && {
          credentials: { [credential.type]: { id: credential.id, name: credential.name } },
        }),
      },
      {
        id: randomUUID(),
        name: 'Next',
        position: [200, 0],
        ...next,
      },
    ],
    connections: { [TRIGGER]: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } },
    settings: { executionOrder: 'v1' },
  });
  const { active, messages } = await activate(session, id);
  if (!active) throw new Error(`The trigger was not registered: ${messages.join(' ')}`);
  return { id, url: `${stage.n8n().url}/webhook/${webhookId}/webhook` };
}
