import type { FunctionsBase } from 'n8n-workflow';
import { nameOf, type NodeContext } from '../node-identity';
import { fullMessage } from '../own-errors';

/** How long something may go wrong by itself before people are told, in milliseconds. */
export const LASTING_MS = 3_600_000;

/** Something that goes wrong again and again. */
export interface Outage {
  /** Milliseconds since the epoch. */
  since: number;
  /** Whether people were told, beyond n8n's log. */
  isReported: boolean;
}

/**
 * What to do about a failure: it is logged when it begins, reported once when it lasts, and otherwise waited out.
 *
 * @param outage what is known of the failures before; `undefined` when all went well
 */
export function afterFailure(
  outage: Outage | undefined,
  now: number,
): { outage: Outage; action: 'log' | 'report' | 'wait' } {
  if (outage === undefined) return { outage: { since: now, isReported: false }, action: 'log' };
  if (outage.isReported || now - outage.since < LASTING_MS) return { outage, action: 'wait' };
  return { outage: { ...outage, isReported: true }, action: 'report' };
}

/** What a node says of an outage. */
export interface OutageWords {
  /** Behind the node's name, e.g. "cannot read the event feed, and tries again with each poll". */
  begins: string;
  /** After an hour, e.g. "The event feed could not be read for an hour." */
  lasts: string;
  /** What becomes of it, e.g. "The node keeps trying, and no event is lost." */
  outlook: string;
  ends: string;
}

/** The node that has an outage, and how it tells people who do not read the log. */
export interface Teller {
  context: NodeContext & Pick<FunctionsBase, 'logger'>;
  words: OutageWords;
  report: (said: string) => void;
}

/**
 * Logs a failure that begins, and reports one that lasts.
 *
 * @param outage what is known of the failures before
 * @returns what is known now
 */
export function tellFailure(
  { context, words, report }: Teller,
  outage: Outage | undefined,
  error: unknown,
  now: number,
): Outage {
  const after = afterFailure(outage, now);
  const problem = fullMessage(error);
  if (after.action === 'log') context.logger.warn(`${nameOf(context)} ${words.begins}: ${problem}`);
  if (after.action === 'report') report(`${words.lasts} ${problem} ${words.outlook}`);
  return after.outage;
}

/** Says that an outage has ended, to whom it was said. */
export function tellEnd({ context, words, report }: Teller, outage: Outage | undefined): void {
  if (outage?.isReported) report(words.ends);
  else if (outage !== undefined) context.logger.info(`${nameOf(context)}: ${words.ends}`);
}
