import { DateTime } from 'luxon';
import { iso } from '../time/clock';

const MONTH = 'yyyy-MM';

/** Day and hour (UTC) of a month at which the made-up data ends: its work is partly done, partly still to come. */
const LAST_DAY = { day: 27, hour: 15 };

/** The end of the made-up data: the last such moment that has come, so that the data never grows old. */
function lastEnd(now: DateTime): DateTime {
  const end = now.startOf('month').set(LAST_DAY);
  return end <= now ? end : end.minus({ months: 1 });
}

const end = lastEnd(DateTime.utc());

/** The twelve months of the seed, `YYYY-MM`, the oldest first. */
export const MONTHS = Array.from({ length: 12 }, (_, index) =>
  end.minus({ months: 11 - index }).toFormat(MONTH),
);

/** The seed's newest month. */
export const PERIOD = end.toFormat(MONTH);

/** The last and the first moment of the seed, in milliseconds. */
export const END = end.toMillis();
export const START = end.minus({ months: 11 }).startOf('month').toMillis();

/** The month after one, both `YYYY-MM`. */
export const nextMonth = (month: string): string =>
  DateTime.fromFormat(month, MONTH, { zone: 'utc' }).plus({ months: 1 }).toFormat(MONTH);

/** Milliseconds as a calendar date `YYYY-MM-DD`. */
export const date = (time: number): string => iso(time).slice(0, 10);

/** A day of a month `YYYY-MM`, or of one of the months after it, as a calendar date. */
export const dayOf = (month: string, day: number, monthsLater = 0): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return date(Date.UTC(year, number - 1 + monthsLater, day));
};
