/** The sandbox's own time: the machine's, moved forward. */
export class Clock {
  /** @param offsetMs How far this clock is ahead of the machine's. */
  constructor(public offsetMs = 0) {}

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.offsetMs;
  }

  /** Moves forward to the given moment; never back. */
  forwardTo(moment: number): void {
    this.offsetMs += Math.max(0, moment - this.now());
  }
}

/** Milliseconds as ISO 8601. */
export const iso = (moment: number): string => new Date(moment).toISOString();

/** Milliseconds as ISO 8601; null stays null. */
export const isoOrNull = (moment: number | null): string | null => (moment === null ? null : iso(moment));

/** Lengths of time, in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
