import { type BinaryHelperFunctions, sleep } from 'n8n-workflow';
import type { Clock } from './wait';

/** A stream of bytes as n8n's binary helpers give and take it. */
export type ByteStream = Awaited<ReturnType<BinaryHelperFunctions['getBinaryStream']>>;

/** The type of bytes of which nothing is known; as such the API serves every file. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** The bytes of an upload. `open` is called anew for every attempt. */
export interface FileBody {
  open: () => Promise<Buffer | ByteStream>;
  /** Exact number of bytes. */
  length: number;
  mimeType: string;
}

/** Whether a body is a stream of bytes. */
export function isStream(body: unknown): body is ByteStream {
  return typeof body === 'object' && body !== null && 'pipe' in body;
}

/** A body that has brought no byte for this long is given up, in milliseconds. */
export const LONGEST_SILENCE_MS = 60_000;

/** Short, so that a timer does not outlive its request by much. */
const LOOK_EVERY_MS = 250;

/** Has the code of a connection that timed out, by which it is told from other errors. */
class Stalled extends Error {
  readonly code = 'ETIMEDOUT';
}

/** A stream that is watched. */
export interface Watch {
  /** To be called by the reader with every chunk. */
  progress: () => void;
  /**
   * Rejects when the bytes stop coming. It is needed, since the HTTP library's stream does not end when it is destroyed
   * while it waits for a byte.
   */
  silence: Promise<never>;
}

/**
 * Watches a stream until it ends: when no byte has come for a minute, or the time of the whole request is over, it is
 * destroyed. The HTTP library itself only watches until the headers of an answer have come.
 *
 * @param until in milliseconds since the epoch, as `clock` has them
 */
export function watched(source: ByteStream, until: number, clock: Clock): Watch {
  let last = clock.now();
  const silence = new Promise<never>((_, reject) => {
    const watch = async () => {
      while (!source.destroyed && !source.readableEnded) {
        if (clock.now() < Math.min(last + LONGEST_SILENCE_MS, until)) await sleep(LOOK_EVERY_MS);
        else {
          const stalled = new Stalled('timeout');
          source.destroy(stalled);
          reject(stalled);
        }
      }
    };
    void watch();
  });
  const progress = () => {
    last = clock.now();
  };
  return { progress, silence };
}

/** The same bytes; `progress` is called with every chunk. */
export function withProgress(bytes: ByteStream, progress: () => void): ByteStream {
  return bytes.map((chunk) => {
    progress();
    return chunk;
  });
}

/** An answer that goes on for longer would fill the memory of all of n8n. In bytes. */
export const LONGEST_TEXT = 64 * 1024 * 1024;

/**
 * The bytes of a stream as text (UTF-8, without the mark that some servers begin it with).
 *
 * @param longest in bytes: not much more than that is read, and the rest is missing
 * @param progress is called with every chunk; quicker than `withProgress`
 */
export async function textOf(
  bytes: ByteStream,
  longest = LONGEST_TEXT,
  progress?: () => void,
): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    progress?.();
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    chunks.push(part);
    length += part.length;
    if (length > longest) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
