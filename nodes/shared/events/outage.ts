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
