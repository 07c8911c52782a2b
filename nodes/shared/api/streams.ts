import type { ByteStream } from './request';
import type { Clock } from './wait';

/** A body that has brought no byte for this long is given up, in milliseconds. */
export const LONGEST_SILENCE_MS = 60_000;

/** Has the code of a connection that timed out, by which it is told from other errors. */
class Stalled extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Hands on the bytes of a stream, and ends it when none has come for a minute, or when the time of the whole request
 * is over. The HTTP library itself only watches until the headers of an answer have come.
 *
 * @param until milliseconds since the epoch
 */
export function watched(bytes: ByteStream, until: number, clock: Clock): ByteStream {
  let last = clock.now();
  const look = () => {
    if (bytes.destroyed || bytes.readableEnded) return;
    const end = Math.min(last + LONGEST_SILENCE_MS, until);
    if (clock.now() >= end) bytes.destroy(new Stalled('timeout'));
    else lookIn(end - clock.now());
  };
  // Unlike a timer, this does not keep a process from ending.
  const lookIn = (milliseconds: number) =>
    AbortSignal.timeout(Math.max(1, Math.ceil(milliseconds))).addEventListener('abort', look);
  lookIn(Math.min(LONGEST_SILENCE_MS, until - last));
  return bytes.map((chunk) => {
    last = clock.now();
    return chunk;
  });
}

/** The bytes of a stream as text (UTF-8). */
export async function textOf(bytes: ByteStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
