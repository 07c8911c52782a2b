import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, tooLarge } from '../server/errors';

/** The largest file: 48 MB (API specification, Limits). */
export const MAX_FILE_BYTES = 50_331_648;

/** What is known of stored bytes. */
export interface Blob {
  name: string;
  sizeBytes: number;
  sha256: string;
}

/** File contents, each a file of its own in one folder. */
export class Blobs {
  private readonly folder: string;
  private readonly temporary: boolean;

  /** @param folder Kept after the end when given; without it a temporary one. */
  constructor(folder?: string) {
    this.temporary = folder === undefined;
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'agency-sandbox-'));
    mkdirSync(this.folder, { recursive: true });
  }

  /**
   * Streams bytes to disk.
   * @throws ApiError `PAYLOAD_TOO_LARGE` at the first byte too many; `STORAGE_UNAVAILABLE` when the disk refuses.
   */
  async write(source: Readable): Promise<Blob> {
    const name = randomUUID();
    const hash = createHash('sha256');
    let sizeBytes = 0;
    // Leaves the source open when it stops early, so that its sender can still be answered.
    const chunks = source.iterator({ destroyOnReturn: false });
    const measured = async function* () {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length;
        if (sizeBytes > MAX_FILE_BYTES) throw tooLarge('A file over 48 MB');
        hash.update(chunk);
        yield chunk;
      }
    };
    try {
      await pipeline(measured, createWriteStream(this.path(name)));
    } catch (reason) {
      await this.remove(name);
      throw explained(reason);
    }
    return { name, sizeBytes, sha256: hash.digest('hex') };
  }

  /**
   * @returns A stream of the bytes, and how many there are.
   * @throws ApiError `STORAGE_UNAVAILABLE` when they are not there.
   */
  async open(name: string): Promise<{ size: number; stream: Readable }> {
    const { size } = await stat(this.path(name)).catch((reason: unknown) => {
      throw explained(reason);
    });
    return { size, stream: createReadStream(this.path(name)) };
  }

  /** The first bytes; none when the disk does not give them. */
  async head(name: string, length: number): Promise<Buffer> {
    try {
      await using handle = await open(this.path(name));
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
      return buffer.subarray(0, bytesRead);
    } catch (reason) {
      if (isDiskTrouble(reason)) return Buffer.alloc(0);
      throw reason;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.path(name), { force: true });
  }

  /** Removes everything but the named ones. */
  keepOnly(names: Set<string>): void {
    for (const entry of readdirSync(this.folder, { withFileTypes: true }))
      if (entry.isFile() && !names.has(entry.name)) rmSync(this.path(entry.name), { force: true });
  }

  close(): void {
    if (this.temporary) rmSync(this.folder, { recursive: true, force: true });
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}

const DISK_TROUBLE = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'EACCES', 'ENOENT']);

const isDiskTrouble = (reason: unknown): boolean =>
  typeof reason === 'object' && reason !== null && 'code' in reason && DISK_TROUBLE.has(String(reason.code));

/** What the caller is told when the disk refuses; anything else stays what it is. */
const explained = (reason: unknown): unknown =>
  isDiskTrouble(reason)
    ? new ApiError('STORAGE_UNAVAILABLE', 'The file storage is temporarily unavailable.', {
        hint: 'Send the request again later.',
      })
    : reason;
