import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Pseudo-random choices, the same for the same seed. */
export interface Random {
  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** Each kind of record has a seed of its own, so that more of one kind leave the others as they are. */
export function newRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const int = (from: number, to: number) => uniformInt(generator, from, to);
  return {
    int,
    chance: (percent) => int(0, 99) < percent,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
  };
}

/** One of some texts, at the place of a number that may be larger than their count. */
export const rotate = <T>(items: readonly [T, ...T[]], index: number): T =>
  items[index % items.length] ?? items[0];
