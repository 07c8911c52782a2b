import type { Agency } from './agency';
import type { Claim, Idempotency } from './idempotency';
import type { Call, Operation, Reply } from './operation';

/** One write or read, with what makes it happen once. */
interface Work {
  operation: Operation;
  call: Call;
  claim: Claim | undefined;
  /** Hash of what makes the request this request. */
  requestHash: string;
}

/** Does the work, or answers with the stored success of the same request. Work and its success are stored together. */
export async function once(agency: Agency, idempotency: Idempotency, work: Work): Promise<Reply> {
  const { operation, call, claim, requestHash } = work;
  const replayed = claim && idempotency.replay(claim, requestHash);
  if (replayed) return replayed;
  // Claimed before, unless there was a stored success that has expired since.
  if (claim) idempotency.claim(claim);
  const store = (reply: Reply): Reply => {
    if (claim) idempotency.store(claim, requestHash, reply);
    return reply;
  };
  const result = agency.db.transaction(() => {
    const reply = operation(call, agency);
    return reply instanceof Promise ? reply : store(reply);
  });
  return result instanceof Promise ? store(await result) : result;
}
