import { setTimeout as wait } from 'node:timers/promises';

/**
 * Looks again and again until there is something.
 * @param what Says in the message what was waited for.
 * @param look Answers undefined or false while it is not there.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  milliseconds = 10_000,
): Promise<T> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`Waited ${milliseconds} ms for ${what}, without success`);
    await wait(20);
  }
}
