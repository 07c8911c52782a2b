import { type Clock, waitUntil } from './wait';

const SPREAD_MS = 1000;

/**
 * The pace that all requests of one execution share: after a 429 every one of them waits, and they start again
 * spread over a second, since other workflows may use the same key.
 */
export class Pace {
  private resumeAt = 0;

  constructor(private readonly clock: Clock) {}

  /** Holds all requests back for so many milliseconds. */
  pause(milliseconds: number): void {
    this.resumeAt = Math.max(this.resumeAt, this.clock.now() + milliseconds);
  }

  /**
   * Resolves when a request may be sent.
   *
   * @returns `false` when the execution was cancelled meanwhile
   */
  async ready(signal?: AbortSignal): Promise<boolean> {
    while (this.clock.now() < this.resumeAt) {
      const spread = this.clock.random() * SPREAD_MS;
      if (!(await waitUntil(this.resumeAt + spread, this.clock, signal))) return false;
    }
    return !signal?.aborted;
  }
}
