import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { freePort, LOOPBACK, start, waitFor } from '../../../tools/n8n/processes/process';
import { ensureProgram } from '../../../tools/n8n/processes/programs';
import { unprivileged } from '../../../tools/n8n/processes/unprivileged';
import type { Say, Undo } from '../../../tools/n8n/stage';

/** Made by Debian's package of Dovecot. */
const USER = 'dovecot';

/** An IMAP server in which everybody who knows the password has a mailbox. */
export interface ImapServer {
  port: number;
  password: string;
  /** Puts a mail into the mailbox of a user who is logged in, as a mail server does. */
  deliver(user: string, mail: SendMailOptions): Promise<void>;
}

/** Starts Dovecot on a free loopback port, with its mailboxes in a temporary folder. */
export async function startImapServer(say: Say, undo: Undo): Promise<ImapServer> {
  const program = await ensureProgram({ names: ['dovecot'], package: 'dovecot-imapd' }, say);
  const folder = await mkdtemp(join(tmpdir(), 'agency-mail-'));
  undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const data = join(folder, 'data');
  await mkdir(data);
  const asUser = await unprivileged(USER, data);
  const [port, password] = [await freePort(), randomUUID()];
  const file = join(folder, 'dovecot.conf');
  await writeFile(file, configuration({ data, port, password, ...owner() }));
  const [command, ...args] = asUser([program, '-F', '-c', file]);
  const dovecot = start(command, args);
  undo.push(() => dovecot.stop());
  await waitFor('Dovecot to start', async () => /starting up/.test(dovecot.output()) || undefined, {
    seconds: 60,
    hopeless: dovecot.ended,
    evidence: () => dovecot.tail(),
  });
  const deliver = async (user: string, mail: SendMailOptions) => {
    const inbox = join(data, user);
    await waitFor(`${user} to open the mailbox`, async () => existsSync(join(inbox, 'new')) || undefined, {
      seconds: 60,
      evidence: () => dovecot.tail(),
    });
    const name = randomUUID();
    await writeFile(join(inbox, 'tmp', name), await compose(mail));
    await rename(join(inbox, 'tmp', name), join(inbox, 'new', name));
  };
  return { port, password, deliver };
}

/** Who runs it. */
function owner(): { user: string; uid: string; gid: string } {
  const { username, uid, gid } = userInfo();
  return uid === 0
    ? { user: USER, uid: USER, gid: USER }
    : { user: username, uid: String(uid), gid: String(gid) };
}

/** A mail as it travels. */
async function compose(mail: SendMailOptions): Promise<Buffer> {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail);
  return Buffer.isBuffer(message) ? message : Promise.reject(new TypeError('The mail is no buffer.'));
}

/** Everything in one folder and as one user, who need not be root: hence no chroot. */
const configuration = ({
  data,
  port,
  password,
  user,
  uid,
  gid,
}: ReturnType<typeof owner> & { data: string; port: number; password: string }): string => `
base_dir = ${data}/run
state_dir = ${data}/state
log_path = /dev/stderr
protocols = imap
listen = ${LOOPBACK}
ssl = no
disable_plaintext_auth = no
default_internal_user = ${user}
default_internal_group =
default_login_user = ${user}
first_valid_uid = 1
mail_location = maildir:${data}/%u
# The file system tells of new mail; where it does not, it is looked for so often.
mailbox_idle_check_interval = 2 s
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${data}/%u
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`;
