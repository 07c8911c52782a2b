import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { run } from './process';

/** A command with its arguments. */
export type Command = [string, ...string[]];

/**
 * For a server that refuses to run as root: hands a folder over to the user that the server's package has made, and
 * gives what lets a command run as that user. For anybody but root, commands and folder stay as they are.
 */
export async function unprivileged(user: string, folder: string): Promise<(command: Command) => Command> {
  if (process.getuid?.() !== 0) return (command) => command;
  await chmod(dirname(folder), 0o755);
  await run('chown', [`${user}:${user}`, folder], {
    what: 'Changing the owner of the data folder',
    resolution: 'Its output:',
  });
  return (command) => ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', ...command];
}
