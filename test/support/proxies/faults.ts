import type { FaultPlan } from '../../../sandbox/control/faults';

const KINDS: Pick<FaultPlan, 'fault' | 'status' | 'retryAfter' | 'delayMs'>[] = [
  { fault: 'reset-before' },
  { fault: 'reset-after' },
  { fault: 'status', status: 429 },
  { fault: 'status', status: 503 },
  { fault: 'status', status: 500 },
  { fault: 'delay', delayMs: 300 },
];
const EVER = 1_000_000_000;

/**
 * Faults of every kind, of which so many requests get one, e.g. 0.2 for one in five.
 *
 * @param retryAfter seconds that a 429 asks to wait
 */
export function mixedFaults(share: number, retryAfter: number): FaultPlan[] {
  // The sandbox tries one plan after the other, each with its own chance.
  const probability = 1 - (1 - share) ** (1 / KINDS.length);
  return KINDS.map((kind) => ({
    ...kind,
    ...(kind.status === 429 && { retryAfter }),
    times: EVER,
    probability,
  }));
}
