import { iso } from '../time/clock';

/** The newest moment in the seed. */
export const UNTIL = '2026-11-27T15:00:00.000Z';

/** The newest month with company periods; the seed spans the twelve months that end with it. */
export const PERIOD = '2026-11';

/** The twelve months of the seed, `YYYY-MM`. */
export const MONTHS = [
  '2025-12',
  ...Array.from({ length: 11 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}`),
];

/** The last and the first moment of the seed, in milliseconds. */
export const END = Date.parse(UNTIL);
export const START = Date.parse('2025-12-01T00:00:00Z');

/** Milliseconds as a calendar date `YYYY-MM-DD`. */
export const date = (time: number): string => iso(time).slice(0, 10);

/** A day of a month `YYYY-MM`, or of one of the months after it, as a calendar date. */
export const dayOf = (month: string, day: number, monthsLater = 0): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return date(Date.UTC(year, number - 1 + monthsLater, day));
};
