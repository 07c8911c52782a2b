import { sleep } from 'n8n-workflow';

/** Time as the retries see it; tests put a clock of their own here. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
}

/** The time and the chance of the machine. */
export const systemClock: Clock = { now: Date.now, sleep, random: Math.random };

const SLICE_MS = 1000;

/**
 * Waits until the clock shows `until` (milliseconds since the epoch), in slices, since `sleep` of n8n 1.x knows
 * no cancel signal.
 *
 * @returns whether the time is over; `false` means that the execution was cancelled
 */
export async function waitUntil(until: number, clock: Clock, signal?: AbortSignal): Promise<boolean> {
  for (let left = until - clock.now(); left > 0; left = until - clock.now()) {
    if (signal?.aborted) return false;
    await clock.sleep(Math.min(left, SLICE_MS));
  }
  return !signal?.aborted;
}
