import { DateTime } from 'luxon';
import { InputError } from '../input-error';
import { given, howToGiveOne, isDate } from './describe-value';
import { isEmpty, withoutMarks } from './text';

// From 1900 on: an earlier year is one of two digits that was read as four ("0026"), or another program's "no date".
const DATE = /^(?:19|[2-9]\d)\d{2}-\d{2}-\d{2}$/;
const MONTH = /^(?:19|[2-9]\d)\d{2}-(0[1-9]|1[0-2])$/;
/** A date with a time, with or without an offset at the end. */
const DATE_TIME =
  /^((?:19|[2-9]\d)\d{2}-\d{2}-\d{2})[T ](?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:[.,]\d+)?)?( ?(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?))?(\[[^\]]+\])?$/i;

/**
 * A calendar date as the API takes it. A value without an offset is the day that it shows. An instant that is midnight
 * in its own offset, in UTC, in the workflow's zone or (a JavaScript `Date`) in the server's zone is that day, since
 * databases and code give days so; any other is the day that it is in the workflow's zone.
 *
 * @param value a text, a Luxon `DateTime` or a JavaScript `Date`
 * @param timeZone of the workflow, e.g. `Europe/Tallinn`
 * @returns `YYYY-MM-DD`
 * @throws InputError for anything that is no day of the calendar
 */
export function calendarDate(field: string, value: unknown, timeZone: string): string {
  const text = dateText(value);
  const parts = DATE_TIME.exec(text);
  const shownDay = parts === null ? text : parts[1];
  const zones = [undefined, 'utc', timeZone, ...(isDate(value) ? ['system'] : [])];
  const day = parts?.[2] === undefined ? shownDay : dayOf(instant(text), zones, timeZone);
  if (!DATE.test(day ?? '') || !isReal(text) || !DateTime.fromISO(day ?? '', { zone: 'utc' }).isValid) {
    throw new InputError(field, `is not a calendar date: ${shown(value)}.`, wayOut(value));
  }
  return day ?? '';
}

/**
 * The day of a date that the agency gives; nothing says whether it comes with a time, or at which hour of which zone.
 *
 * @param timeZone of the workflow
 * @returns `YYYY-MM-DD`; another text as it is
 */
export function dayOfDate(text: string, timeZone: string): string {
  if (DATE.test(text)) return text;
  return dayOf(instant(text), [undefined, 'utc', timeZone], timeZone) ?? text;
}

/** The day of the first zone in which an instant is midnight; else its day in the workflow's zone. */
function dayOf(time: DateTime, zones: Array<string | undefined>, timeZone: string): string | null {
  const there = zones.map((zone) => (zone === undefined ? time : time.setZone(zone)));
  const midnight = there.find((one) => one.toMillis() === one.startOf('day').toMillis());
  return (midnight ?? time.setZone(timeZone)).toISODate();
}

/**
 * A bound of a time range, where the API takes a date or a date-time. A bare date stays bare; a date-time leaves
 * with its offset, or with that of the workflow's time zone if it has none.
 *
 * @returns `YYYY-MM-DD` or an ISO 8601 date-time with an offset
 * @throws InputError for anything that is no time of the calendar
 */
export function dateOrDateTime(field: string, value: unknown, timeZone: string): string {
  const text = dateText(value);
  if (DATE.test(text)) return calendarDate(field, text, timeZone);
  const parts = DATE_TIME.exec(text);
  const time = parts?.[2] === undefined ? DateTime.fromISO(iso(text), { zone: timeZone }) : instant(text);
  const made = parts === null ? null : time.toISO({ suppressMilliseconds: true });
  if (made === null) throw new InputError(field, `is not a date or a time: ${shown(value)}.`, wayOut(value));
  return made;
}

/**
 * An instant as people write it, e.g. `November 30, 14:30 (Europe/Tallinn)`, with its year unless that is this one; what is
 * no instant comes back as it is.
 */
export function shownTime(instantText: string, timeZone: string): string {
  const time = DateTime.fromISO(instantText, { zone: timeZone, locale: 'en-US' });
  if (!time.isValid) return instantText;
  const day = time.year === DateTime.now().setZone(timeZone).year ? 'LLLL d' : 'LLLL d, yyyy';
  return `${time.toFormat(`${day}, HH:mm`)} (${timeZone})`;
}

/** A duration as people say it, rounded up, e.g. `45 seconds` or `2 minutes`. */
export function shownDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/**
 * A month as the API takes it: one that is written so, or the month of a date.
 *
 * @param value `YYYY-MM`, or what `calendarDate` takes
 * @returns `YYYY-MM`
 * @throws InputError for anything that is in no month of the calendar
 */
export function calendarMonth(field: string, value: unknown, timeZone: string): string {
  const text = dateText(value);
  if (MONTH.test(text)) return text;
  if (DATE.test(text) || DATE_TIME.test(text)) return calendarDate(field, text, timeZone).slice(0, 7);
  throw new InputError(
    field,
    `is not a month: ${shown(value)}.`,
    'Enter a month as YYYY-MM, e.g. 2024-03, or an expression that returns a date in that month.',
  );
}

function dateText(value: unknown): string {
  if (DateTime.isDateTime(value)) return value.toISO() ?? '';
  if (isDate(value)) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return typeof value === 'string' ? withoutMarks(value) : '';
}

const iso = (text: string): string =>
  text
    .replace(/\[[^\]]+\]$/, '')
    .replace(/ (?=[Zz+-])/, '')
    .replace(' ', 'T');

const instant = (text: string) => DateTime.fromISO(iso(text), { setZone: true });

const isReal = (text: string): boolean => instant(text).isValid;

const shown = (value: unknown): string => (isEmpty(value) ? 'it is empty' : given(value));

const wayOut = (value: unknown): string =>
  `Enter a date as YYYY-MM-DD, e.g. 2024-03-31, or select it in the date field. ${howToGiveOne(value)}`.trim();
