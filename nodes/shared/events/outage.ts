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
  /** Behind the node's name, e.g. "cannot read the events, and tries again with each poll". */
  begins: string;
  /** After an hour, e.g. "The events could not be read for an hour." */
  lasts: string;
  /** What becomes of it, e.g. "The node keeps trying, and no event is lost." */
  outlook: string;
  ends: string;
}

/** The node that has an outage. */
type OutageContext = NodeContext & Pick<FunctionsBase, 'logger'>;

/**
 * Logs a failure that begins.
 *
 * @param outage what is known of the failures before
 * @returns what is known now, and of a failure that lasts, what to tell people who do not read the log
 */
export function tellFailure(
  context: OutageContext,
  words: OutageWords,
  outage: Outage | undefined,
  error: unknown,
  now: number,
): { outage: Outage; report?: string } {
  const after = afterFailure(outage, now);
  const problem = fullMessage(error);
  if (after.action === 'log') context.logger.warn(`${nameOf(context)} ${words.begins}: ${problem}`);
  const report = after.action === 'report' ? `${words.lasts} ${problem} ${words.outlook}` : undefined;
  return { outage: after.outage, report };
}

/** Logs that an outage has ended. @returns what to tell those who were told of it; `undefined` if nobody was */
export function tellEnd(
  context: OutageContext,
  words: OutageWords,
  outage: Outage | undefined,
): string | undefined {
  if (outage?.isReported) return words.ends;
  if (outage !== undefined) context.logger.info(`${nameOf(context)}: ${words.ends}`);
  return undefined;
}
