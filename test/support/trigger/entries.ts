import { setTimeout as wait } from 'node:timers/promises';

/**
 * What n8n's store of processed values does with its one row of a node, as its own deduplication helper does it: the
 * list is read, changed and written back whole, so that simultaneous calls undo each other, and the row can be made
 * only once. Reading and writing take a few milliseconds, as a database does.
 */
export class ProcessedEntries {
  private row?: string[];

  /** What the next calls throw instead of working. */
  readonly faults: Error[] = [];

  /** What the next calls wait for between reading and writing, as a process does that stands still. */
  readonly stalls: Array<Promise<unknown>> = [];

  /** How often it was asked to record something. */
  calls = 0;

  /** @param slowest milliseconds that reading or writing takes at most */
  constructor(private readonly slowest = 4) {}

  get entries(): string[] {
    return [...(this.row ?? [])];
  }

  async checkProcessedAndRecord(
    entries: Array<string | number>,
    _scope: unknown,
    { maxEntries = Number.POSITIVE_INFINITY }: { maxEntries?: number },
  ) {
    this.calls += 1;
    const stall = this.stalls.shift();
    const held = await this.read();
    await stall;
    const processed = entries.filter((entry) => held?.includes(String(entry)));
    const fresh = entries.filter((entry) => !processed.includes(entry));
    await this.write([...(held ?? []), ...fresh.map(String)].slice(-maxEntries), held === undefined);
    return { new: fresh, processed };
  }

  async removeProcessed(entries: Array<string | number>): Promise<void> {
    const held = await this.read();
    if (held === undefined) return;
    await this.write(
      held.filter((entry) => !entries.includes(entry)),
      false,
    );
  }

  private async read(): Promise<string[] | undefined> {
    await this.pass();
    const fault = this.faults.shift();
    if (fault !== undefined) throw fault;
    return this.row;
  }

  private async write(row: string[], isFirst: boolean): Promise<void> {
    await this.pass();
    if (isFirst && this.row !== undefined) throw new Error('UNIQUE constraint failed: processed_data');
    this.row = row;
  }

  private async pass(): Promise<void> {
    await wait(Math.random() * this.slowest);
  }
}
