import type { Clock } from './clock';

/** A kind of work that falls due by the clock. What is due stands in the store, so it survives a restart. */
export interface Chore {
  /** The moment of the next piece of work that is not yet being done. */
  nextDue(): number | undefined;
  /** Begins all that is due. Resolves when it is done. */
  run(now: number): Promise<void>;
  /** Resolves when nothing that began is still going on. */
  settled(): Promise<unknown>;
}

/** The longest time that a Node.js timer can wait, in milliseconds. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Does the chores when they are due, and moves the clock from one to the next. */
export class Agenda {
  private timer?: NodeJS.Timeout;
  private closed = false;
  /** How often the data were replaced. */
  private restarts = 0;
  private moving: Promise<void> = Promise.resolve();

  private readonly chores: Chore[] = [];

  constructor(private readonly clock: Clock) {}

  add(...chores: Chore[]): void {
    this.chores.push(...chores);
  }

  /** To be called when something new may be due. */
  wake(): void {
    if (this.closed) return;
    clearTimeout(this.timer);
    const due = this.nextDue();
    if (due === undefined) return;
    const wait = Math.min(Math.max(0, due - this.clock.now()), LONGEST_TIMER);
    this.timer = setTimeout(() => {
      void this.runDue();
      this.wake();
    }, wait);
  }

  /**
   * Moves the clock forward step by step: to the next thing due, does it, and on. So a day holds all
   * the retries that fall in it. Resolves when everything that fell due is done.
   */
  advance(milliseconds: number): Promise<void> {
    const { restarts } = this;
    this.moving = this.moving.then(() => this.move(milliseconds, restarts));
    return this.moving;
  }

  /** To be called when all data were replaced: moves that are under way go no further. */
  restart(): void {
    this.restarts += 1;
    this.wake();
  }

  /** Stops the timer, and waits for what is going on. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.settled();
  }

  settled(): Promise<unknown> {
    return Promise.all(this.chores.map((chore) => chore.settled()));
  }

  private async move(milliseconds: number, restarts: number): Promise<void> {
    const target = this.clock.now() + milliseconds;
    for (;;) {
      await this.settled();
      if (restarts !== this.restarts) return;
      const due = this.nextDue();
      if (due === undefined || due > target) break;
      this.clock.forwardTo(due);
      await this.runDue();
    }
    this.clock.forwardTo(target);
    this.wake();
  }

  private async runDue(): Promise<void> {
    const now = this.clock.now();
    await Promise.all(this.chores.map((chore) => chore.run(now)));
    this.wake();
  }

  private nextDue(): number | undefined {
    const dues = this.chores.map((chore) => chore.nextDue()).filter((due) => due !== undefined);
    return dues.length ? Math.min(...dues) : undefined;
  }
}
