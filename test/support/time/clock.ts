import type { Clock } from '../../../nodes/shared/api/requests/wait';

/** A clock that goes on only while it is slept by, with a chance that is always the same. */
export class FakeClock implements Clock {
  readonly slept: number[] = [];

  constructor(
    private time = 1_700_000_000_000,
    private readonly chance = 0.5,
  ) {}

  now(): number {
    return this.time;
  }

  random(): number {
    return this.chance;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.slept.push(milliseconds);
    const end = this.time + milliseconds;
    // A turn of the event loop, so that sleeps which began together end together.
    await new Promise((resolve) => setImmediate(resolve));
    this.time = Math.max(this.time, end);
  }
}
