import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What one turn of a contender gave: its value, in most rows milliseconds, and the CPU time that it took, if it is known. */
export interface Turn {
  value: number;
  /** Milliseconds. */
  cpu?: number;
}

type Beside = 'other' | 'helper' | 'floor';

/** The contenders of a measurement: ours, what a builder would use instead, n8n's bare request helper, and the floor. */
export type Contenders = { ours: () => Promise<Turn> } & Partial<Record<Beside, () => Promise<Turn>>>;

/** The turns of each contender, in the order of the rounds. */
export type Rounds = { ours: Turn[] } & Partial<Record<Beside, Turn[]>>;

/** How long to measure. */
export interface Patience {
  /** How often each contender has its turn at least. */
  fewestRounds: number;
  /** How long there may be more rounds, while the result is not certain enough. */
  mostSeconds: number;
  /** Whether a first round is not counted; true if nothing is said. */
  warmUp?: boolean;
}

/** So far a median may be off by chance. */
const ENOUGH = 0.05;

/**
 * Measures all contenders in every round, one after the other, beginning with another one each time, so that what
 * else the machine does hits them alike. A first round that is not counted warms everything up. It ends when the
 * median of what is judged is certain enough, or when the time is over.
 *
 * @param judged the value of a round that the row is judged by
 */
export async function interleaved(
  contenders: Contenders,
  { fewestRounds, mostSeconds, warmUp = true }: Patience,
  judged: (rounds: Rounds) => number[],
): Promise<Rounds> {
  const measured: Rounds = { ours: [] };
  const names = (['ours', 'other', 'helper', 'floor'] as const).filter(
    (name) => contenders[name] !== undefined,
  );
  const end = performance.now() + mostSeconds * 1000;
  for (let round = warmUp ? 0 : 1; ; round += 1) {
    const order = names.map((_, index) => names[(index + round) % names.length] ?? 'ours');
    for (const name of order) {
      clearUp();
      const turn = await contenders[name]?.();
      if (round > 0 && turn) (measured[name] ??= []).push(turn);
    }
    if (round < fewestRounds) continue;
    if (spread(judged(measured)) <= ENOUGH || performance.now() > end) return measured;
  }
}

setFlagsFromString('--expose-gc');
/** Clears up what a turn has left, which would otherwise fall on the next one. */
const clearUp: () => void = runInNewContext('gc');

/** How long work takes, in milliseconds, and the CPU time of this process meanwhile. */
export async function timed(work: () => Promise<unknown>): Promise<Turn> {
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  return { value: performance.now() - started, cpu: cpuSince(before) };
}

/** Milliseconds of CPU time that this process has taken since `process.cpuUsage()` gave something. */
export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The middle value. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/**
 * How far a median may be off by chance, as a part of it: half the width of the interval that holds the true one in 95
 * of 100 cases, by the order of the values. Of fewer than nine values that is the least to the largest.
 */
export function spread(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const last = sorted.length - 1;
  const low = Math.max(0, Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2) - 1);
  return ((sorted[last - low] ?? Number.NaN) - (sorted[low] ?? Number.NaN)) / 2 / median(values);
}

/** What one is to the other in each round. */
export function ratios(turns: Turn[], to: Turn[] = []): number[] {
  return turns.map(({ value }, round) => value / (to[round]?.value ?? Number.NaN));
}

/** The median of the ratios of the rounds, with its spread and that of the CPU times, e.g. `1.01 ± 2 % (CPU 0.98)`. */
export function shownRatio(turns: Turn[], to: Turn[] = []): string {
  const all = ratios(turns, to);
  const cpus = turns.flatMap(({ cpu }, round) => {
    const other = to[round]?.cpu;
    return cpu === undefined || other === undefined ? [] : [cpu / other];
  });
  const beside = cpus.length === 0 ? '' : ` (CPU ${median(cpus).toFixed(2)})`;
  return `${median(all).toFixed(2)}${plusMinus(all)}${beside}`;
}

/** The median of the turns, with its spread and the CPU time, e.g. `116 ms ± 3 % (CPU 80 ms)`. */
export function shown(turns: Turn[] | undefined, unit: string, digits = 0): string {
  if (!turns || turns.length === 0) return '–';
  const values = turns.map(({ value }) => value);
  const cpus = turns.flatMap(({ cpu }) => cpu ?? []);
  const beside = cpus.length === 0 ? '' : ` (CPU ${median(cpus).toFixed(0)} ms)`;
  return `${median(values).toFixed(digits)} ${unit}${plusMinus(values)}${beside}`;
}

const plusMinus = (values: number[]): string =>
  values.length < 2 ? '' : ` ± ${(100 * spread(values)).toFixed(0)} %`;

/** The value that so large a part of the values, e.g. 0.99, does not exceed. */
export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
