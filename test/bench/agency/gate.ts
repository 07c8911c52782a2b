import { setTimeout as wait } from 'node:timers/promises';

/** Holds transfers in their middle while it is closed, so that memory can be looked at there. */
export class Gate {
  private closed = false;
  private waiting = 0;

  /** How many transfers wait in their middle now. */
  get held(): number {
    return this.waiting;
  }

  set(closed: boolean): void {
    this.closed = closed;
  }

  /** Resolves when the gate is open. */
  async pass(): Promise<void> {
    if (!this.closed) return;
    this.waiting += 1;
    while (this.closed) await wait(5);
    this.waiting -= 1;
  }
}
