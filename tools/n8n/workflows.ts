import { waitFor } from './processes/process';
import { N8nRefusal, type Session } from './session';

/** A workflow as n8n exports it; only what the tools look at is spelled out. */
export interface WorkflowFile {
  name: string;
  nodes: WorkflowNode[];
  connections: Record<string, unknown>;
  settings?: Record<string, unknown>;
}

/** One node of an exported workflow. */
export interface WorkflowNode {
  id: string;
  name: string;
  type: string;
  parameters: Record<string, unknown>;
  credentials?: Record<string, { id: string | null; name: string }>;
  [other: string]: unknown;
}

/** A workflow in an n8n. */
export interface Workflow extends WorkflowFile {
  id: string;
  versionId: string;
  active: boolean;
  staticData?: unknown;
}

/** How an activation ended: `messages` are the triggers' own, as a person sees them. */
export interface Activation {
  active: boolean;
  messages: string[];
}

const SETTLING_SECONDS = 180;

interface PublicationStatus {
  status: string;
  triggers: { errorMessage?: string | null }[];
}

const pathOf = (id: string, rest = '') => `/rest/workflows/${encodeURIComponent(id)}${rest}`;

/** Imports an exported workflow; it is not active yet. */
export const importWorkflow = (session: Session, file: WorkflowFile): Promise<Workflow> =>
  session.call('POST', '/rest/workflows', { settings: {}, ...file, active: false });

/** The workflow as n8n has it now. */
export const readWorkflow = (session: Session, id: string): Promise<Workflow> =>
  session.call('GET', pathOf(id));

/** Saves changed nodes, connections, name or settings; in 2.x an active workflow keeps running as it was published. */
export const saveWorkflow = (
  session: Session,
  id: string,
  change: Partial<WorkflowFile>,
): Promise<Workflow> => session.call('PATCH', pathOf(id), change);

/**
 * Activates (2.x: publishes) the newest saved version and waits until its triggers are registered
 * or n8n has given up on them, which takes up to 16 seconds.
 */
export async function activate(session: Session, id: string): Promise<Activation> {
  const { versionId } = await readWorkflow(session, id);
  try {
    if (session.major === 1) await session.call('PATCH', pathOf(id), { active: true, versionId });
    else await session.call('POST', pathOf(id, '/activate'), { versionId });
  } catch (error) {
    // 409: another workflow has the webhook address.
    if (error instanceof N8nRefusal && [400, 409].includes(error.status))
      return { active: false, messages: [error.reason] };
    throw error;
  }
  const report = await settled(session, id, 'register');
  return {
    active: report === undefined || report.status === 'published',
    messages: report?.triggers.flatMap(({ errorMessage }) => errorMessage ?? []) ?? [],
  };
}

/** Deactivates a workflow and waits until n8n has taken its triggers down. */
export async function deactivate(session: Session, id: string): Promise<void> {
  const { versionId } = await readWorkflow(session, id);
  if (session.major === 1) await session.call('PATCH', pathOf(id), { active: false, versionId });
  else await session.call('POST', pathOf(id, '/deactivate'), {});
  await settled(session, id, 'remove');
}

/** Waits until n8n is done with the triggers; undefined where activation is synchronous and has no report. */
async function settled(
  session: Session,
  id: string,
  what: 'register' | 'remove',
): Promise<PublicationStatus | undefined> {
  if (session.major === 1) return undefined;
  const look = async () => {
    try {
      const report = await session.call<PublicationStatus>('GET', pathOf(id, '/publication-status'));
      return report.status === 'in_progress' ? undefined : { report };
    } catch (error) {
      // n8n 2.x with its publication service off.
      if (error instanceof N8nRefusal && error.status === 404) return { report: undefined };
      throw error;
    }
  };
  const { report } = await waitFor(`n8n to ${what} the triggers`, look, { seconds: SETTLING_SECONDS });
  return report;
}
