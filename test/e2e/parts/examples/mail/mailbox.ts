import type { SendMailOptions } from 'nodemailer';
import { LOOPBACK } from '../../../../../tools/n8n/processes/process';
import { createCredential } from '../../../../../tools/n8n/credentials';
import type { WorkflowNode } from '../../../../../tools/n8n/workflows';
import type { Desk } from '../desk';

/** Sets the mailbox of an example to one that n8n reads by IMAP, as its note says: the credential, and enabled. */
export async function mailbox(
  { stage: { session }, imap }: Desk,
  user: string,
): Promise<Record<string, Partial<WorkflowNode>>> {
  const { id, name, type } = await createCredential(session, {
    name: `IMAP account of ${user}`,
    type: 'imap',
    data: { user, password: imap.password, host: LOOPBACK, port: imap.port, secure: false },
  });
  return { 'When an email arrives': { disabled: false, credentials: { [type]: { id, name } } } };
}

/** Delivers a mail with files to it. */
export const sendMail = (
  { imap }: Desk,
  user: string,
  mail: Pick<SendMailOptions, 'attachments' | 'messageId'>,
): Promise<void> =>
  imap.deliver(user, {
    from: 'Client <client@company.example>',
    to: `${user}@agency.example`,
    subject: 'Our invoices',
    text: 'Here they are.',
    ...mail,
  });
