import type { Execution } from '../../../../../tools/n8n/executions';
import type { WorkflowNode } from '../../../../../tools/n8n/workflows';
import type { Context } from '../../../part';
import { type Mail, startMailServer } from '../../../support/mail-server';
import { type Desk, importExample, mailCredential, runByHand } from '../desk';

/** An address at which the mail server knows nobody. */
export const UNKNOWN = 'nobody@agency.example';

/** Imports an example that sends mail from the node `sender`, runs it by hand, and gives the mails that it sent. */
export async function sendMails(
  desk: Desk,
  undo: Context['undo'],
  file: string,
  sender: string,
  change: Record<string, Partial<WorkflowNode>>,
): Promise<{ execution: Execution; mails: Mail[] }> {
  const { port, mails, close } = await startMailServer({ unknown: UNKNOWN });
  undo.push(close);
  const credentials = await mailCredential(desk, port);
  const workflow = await importExample(desk, file, { change: { ...change, [sender]: { credentials } } });
  return { execution: await runByHand(desk, workflow), mails };
}

/** The fields of an example's node Addresses: the address of each person or client by its ID, and of everyone else. */
export const addresses = (byId: Record<string, string>, others: string): Partial<WorkflowNode> => ({
  parameters: {
    assignments: {
      assignments: Object.entries({ ...byId, 'everyone else': others }).map(([name, value]) => ({
        id: name,
        name,
        type: 'string',
        value,
      })),
    },
  },
});
