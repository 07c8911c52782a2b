type Beside = 'other' | 'helper' | 'floor';

/** The contenders of a measurement: ours, what a builder would use instead, n8n's bare request helper, and the floor. */
export type Contenders<T> = { ours: () => Promise<T> } & Partial<Record<Beside, () => Promise<T>>>;

/** The values of each contender, in the order of the rounds. */
export type Rounds = { ours: number[] } & Partial<Record<Beside, number[]>>;

/**
 * Measures all contenders in every round, one after the other, beginning with another one each time, so that what
 * else the machine does hits them alike. A first round that is not counted warms everything up.
 */
export async function interleaved(contenders: Contenders<number>, rounds: number): Promise<Rounds> {
  const measured: Rounds = { ours: [] };
  const names = (['ours', 'other', 'helper', 'floor'] as const).filter(
    (name) => contenders[name] !== undefined,
  );
  for (let round = 0; round <= rounds; round += 1) {
    const order = names.map((_, index) => names[(index + round) % names.length] ?? 'ours');
    for (const name of order) {
      const value = (await contenders[name]?.()) ?? 0;
      if (round > 0) (measured[name] ??= []).push(value);
    }
  }
  return measured;
}

/** How long something takes, in milliseconds. */
export async function duration(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The middle value. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The median of what one is to the other in the same round. */
export function ratio(values: number[], to: number[] = []): number {
  return median(values.map((value, round) => value / (to[round] ?? Number.NaN)));
}

/** Median and spread as a text, e.g. `116 (109–131) ms`. */
export function shown(values: number[] | undefined, unit: string, digits = 0): string {
  if (!values || values.length === 0) return '–';
  const text = (value: number) => value.toFixed(digits);
  return `${text(median(values))} (${text(Math.min(...values))}–${text(Math.max(...values))}) ${unit}`;
}

/** The value that so large a part of the values, e.g. 0.99, does not exceed. */
export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
