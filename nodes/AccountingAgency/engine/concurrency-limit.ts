/** How many items are worked on at the same time: each takes a place, and gives it back. */
export class ConcurrencyLimit {
  private readonly queue: Array<() => void> = [];

  constructor(private free: number) {}

  /** Resolves when a place is free, first come, first served. Whoever takes one gives it back. */
  async take(): Promise<void> {
    if (this.free === 0) await new Promise<void>((resolve) => this.queue.push(resolve));
    else this.free -= 1;
  }

  giveBack(): void {
    const next = this.queue.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}
