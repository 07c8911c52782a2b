import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const MB = 1024 * 1024;

/** Watches the memory of this process, which has to run with --expose-gc. All numbers are megabytes above the start. */
export class ProcessMemory {
  private constructor(private readonly idle: NodeJS.MemoryUsage) {}

  /** Clears up, and watches from here. */
  static async watch(): Promise<ProcessMemory> {
    await settle();
    const idle = process.memoryUsage();
    // Linux forgets the process's highest resident memory when told so.
    await writeFile('/proc/self/clear_refs', '5');
    return new ProcessMemory(idle);
  }

  /** The highest resident memory so far. */
  async peak(): Promise<number> {
    const status = await readFile('/proc/self/status', 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024 - this.idle.rss / MB;
  }

  /** Heap and buffers that are still in use. */
  async held(): Promise<number> {
    await settle();
    return (used(process.memoryUsage()) - used(this.idle)) / MB;
  }
}

/** Array buffers are part of what Node.js counts as external. */
const used = ({ heapUsed, external }: NodeJS.MemoryUsage): number => heapUsed + external;

async function settle(): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await wait(50);
  }
}
