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

/** A Set node's only field, by an expression that gives an address for a value of `$json`, or the office's. */
export const addresses = (
  byValue: Record<string, string>,
  field: string,
  other: string,
): Partial<WorkflowNode> => {
  const value = `={{ (${JSON.stringify(byValue)})[$json.${field}] ?? '${other}' }}`;
  return {
    parameters: { assignments: { assignments: [{ id: 'address', name: 'address', type: 'string', value }] } },
  };
};
