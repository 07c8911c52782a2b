import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { LOOPBACK } from '../../../tools/n8n/processes/process';

/** One mail as it was delivered to one address. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The names of the attached files. */
  files: string[];
}

/** A mail server that keeps what it gets. */
export interface MailServer {
  port: number;
  mails: Mail[];
  close(): Promise<void>;
}

/** Starts a mail server on the loopback interface. It takes mail from everybody, and refuses the address `unknown` if there is one. */
export async function startMailServer({ unknown }: { unknown?: string } = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(address === unknown ? new Error(`No such person: ${address}`) : null),
    onData: (stream, { envelope }, done) => {
      void buffer(stream)
        .then((raw) => PostalMime.parse(raw))
        .then(({ subject = '', text = '', attachments }) => {
          const files = attachments.map(({ filename }) => filename ?? '');
          for (const { address } of envelope.rcptTo) mails.push({ to: address, subject, text, files });
        })
        .then(() => done(), done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
