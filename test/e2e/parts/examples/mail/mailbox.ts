import assert from 'node:assert/strict';
import mime from 'mime';
import type { WorkflowNode } from '../../../../../tools/n8n/workflows';
import type { Desk } from '../desk';

/** What stands in for the mailbox of an example: a form with files gives the item that a mail with attachments gives. */
export const mailbox = (path: string): Record<string, Partial<WorkflowNode>> => ({
  'When mail arrives': {
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    disabled: false,
    webhookId: path,
    parameters: { httpMethod: 'POST', path },
  },
  'One item per attachment': { parameters: { fieldsToInclude: 'body' } },
});

/** Sends a mail with files to it, each with the type that its name says. */
export async function sendMail(
  { stage: { session } }: Desk,
  path: string,
  files: { name: string; content: Buffer }[],
): Promise<void> {
  const form = new FormData();
  for (const [index, { name, content }] of files.entries()) {
    form.append(`attachment_${index}`, new Blob([content], { type: mime.getType(name) ?? '' }), name);
  }
  const answer = await fetch(`${session.url}/webhook/${path}`, { method: 'POST', body: form });
  assert.equal(answer.status, 200);
}
