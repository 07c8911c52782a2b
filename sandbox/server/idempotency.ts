import type { Agency } from '../agency/agency';
import { findReply, saveReply } from '../store/idempotency';
import { DAY } from '../time/clock';
import { ApiError } from './errors';
import type { Reply, Call, Operation } from './operation';

/** One write under one `Idempotency-Key`. */
export interface Claim {
  /** The credential that the key belongs to. */
  owner: string;
  key: string;
  /** Hash of what is known of the request before a file's bytes have arrived. */
  asked: string;
  /** How many bytes a file says to have; undefined: it does not say, or there is none. */
  length?: number;
}

const nameOf = ({ owner, key }: Claim): string => JSON.stringify([owner, key]);

/** Whether two claims cannot be of the same request. */
const differ = (one: Claim, other: Claim): boolean =>
  one.asked !== other.asked ||
  (one.length !== undefined && other.length !== undefined && one.length !== other.length);

const inUse = () =>
  new ApiError('IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is still running.', {
    hint: 'Wait a moment, then send it again.',
  });

const reused = () =>
  new ApiError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was already used for a different request.', {
    hint: 'Send a new key with a new request.',
  });

/** Makes writes happen once (API specification, Errors, idempotency rules 1 to 4). */
export class Idempotency {
  private readonly running = new Map<string, Claim>();

  constructor(private readonly agency: Agency) {}

  /** Claims the key, unless its success is stored: any number of repeats may be answered with it at once. */
  begin(claim: Claim): void {
    if (!this.stored(claim)) this.claim(claim);
  }

  /**
   * Marks the write as running. Call `release` when it has ended, however it ended.
   * @throws ApiError While another one with the same key runs: `IDEMPOTENCY_KEY_IN_USE` for the same
   * request, `IDEMPOTENCY_KEY_REUSED` for a different one.
   */
  claim(claim: Claim): void {
    const name = nameOf(claim);
    const other = this.running.get(name);
    if (other && other !== claim) throw differ(claim, other) ? reused() : inUse();
    this.running.set(name, claim);
  }

  release(claim: Claim): void {
    const name = nameOf(claim);
    if (this.running.get(name) === claim) this.running.delete(name);
  }

  /**
   * The stored success of the same request, marked as replayed.
   * @throws ApiError `IDEMPOTENCY_KEY_REUSED` when the key was used for a different request.
   */
  replay(claim: Claim, requestHash: string): Reply | undefined {
    const stored = this.stored(claim);
    if (!stored) return undefined;
    if (stored.fingerprint !== requestHash) throw reused();
    const reply: Reply = JSON.parse(stored.reply);
    return { ...reply, headers: { ...reply.headers, 'idempotent-replayed': 'true' } };
  }

  /** Stores a success for 24 hours. Part of the caller's transaction. */
  store({ owner, key }: Claim, requestHash: string, reply: Reply): void {
    if (reply.status >= 400) return;
    const stored = { fingerprint: requestHash, reply: JSON.stringify(reply) };
    const now = this.agency.clock.now();
    saveReply(this.agency.db, owner, key, stored, { now, expiresAt: now + DAY });
  }

  private stored({ owner, key }: Claim) {
    return findReply(this.agency.db, owner, key, this.agency.clock.now());
  }
}

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
