import { watch } from 'chokidar';
import { once } from 'node:events';
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
  let changed = false;
  let working: Promise<void> | undefined;
  const work = async () => {
    while (changed) {
      changed = false;
      await sleep(QUIET_MS);
      if (!changed) await act();
    }
    working = undefined;
  };
  const watcher = watch(folders, { ignoreInitial: true }).on('all', () => {
    changed = true;
    working ??= work();
  });
  await once(watcher, 'ready');
  return async () => {
    await watcher.close();
    await working;
  };
}
