import { DateTime } from 'luxon';
import type { IPollFunctions } from 'n8n-workflow';
import { InputError } from '../shared/input-error';
import { dateOrDateTime, shownTime } from '../shared/values/dates';

/** When a node begins to run events. */
export interface StartDate {
  /** The text of the field, which may be an expression; empty when there is none. */
  entered: string;
  /** ISO 8601; `undefined` begins now. */
  instant?: string;
}

/**
 * Reads the option Start Date.
 *
 * @throws InputError for what is no date, or a future one
 */
export function startDate(context: IPollFunctions): StartDate {
  const field = 'options.startDate';
  const entered = context.getNodeParameter(field, '', { rawExpressions: true });
  if (entered === '') return { entered: '' };
  const zone = context.getTimezone();
  const start = dateOrDateTime('Start Date', context.getNodeParameter(field, undefined), zone);
  const instant = DateTime.fromISO(start, { zone }).toUTC();
  if (instant > DateTime.utc()) {
    throw new InputError(
      'Start Date',
      `is in the future: ${shownTime(start, zone)}.`,
      'Choose a past date. To start with new events, remove the option.',
    );
  }
  return { entered: String(entered), instant: instant.toISO() ?? start };
}
