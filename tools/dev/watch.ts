import { watch } from 'chokidar';
import { setTimeout as sleep } from 'node:timers/promises';

/** An editor saves a file in several steps, and a change of branch touches many: this long after the last one, all is there. */
const QUIET_MS = 200;

/**
 * Calls `act` after files have changed, one call after the other: changes during a call lead to one more.
 *
 * @param folders watched with everything in them
 * @returns when the folders are watched: ends the watching, and resolves when the last call has ended
 */
export async function onChange(folders: string[], act: () => Promise<void>): Promise<() => Promise<void>> {
  let changes = 0;
  let done = 0;
  let working: Promise<void> | undefined;
  const work = async () => {
    while (done !== changes) {
      const seen = changes;
      await sleep(QUIET_MS);
      if (seen !== changes) continue;
      await act();
      done = seen;
    }
    working = undefined;
  };
  const watcher = watch(folders, { ignoreInitial: true }).on('all', () => {
    changes += 1;
    working ??= work();
  });
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return async () => {
    await watcher.close();
    await working;
  };
}
