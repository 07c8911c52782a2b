import type { Agency } from './agency';
import { DAY } from './clock';
import { ApiError } from './errors';
import type { Reply } from './operation';
import { findReply, saveReply } from './store/idempotency';

/** One write under one `Idempotency-Key`. */
export interface Claim {
  /** The credential that the key belongs to. */
  owner: string;
  key: string;
}

/** Makes writes happen once (API specification, Errors, idempotency rules 1 to 4). */
export class Idempotency {
  private readonly running = new Set<string>();

  constructor(private readonly agency: Agency) {}

  /**
   * Marks the write as running. Call `release` when it has ended, however it ended.
   * @throws ApiError `IDEMPOTENCY_KEY_IN_USE` while another one with the same key runs.
   */
  claim({ owner, key }: Claim): { release(): void } {
    const name = JSON.stringify([owner, key]);
    if (this.running.has(name)) {
      throw new ApiError('IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is still running.', {
        hint: 'Wait a moment, then send it again.',
      });
    }
    this.running.add(name);
    return { release: () => this.running.delete(name) };
  }

  /**
   * The stored success of the same request, marked as replayed.
   * @throws ApiError `IDEMPOTENCY_KEY_REUSED` when the key was used for a different request.
   */
  replay({ owner, key }: Claim, requestHash: string): Reply | undefined {
    const stored = findReply(this.agency.db, owner, key, this.agency.clock.now());
    if (!stored) return undefined;
    if (stored.fingerprint !== requestHash) {
      throw new ApiError(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key was already used for a different request.',
        { hint: 'Send a new key with a new request.' },
      );
    }
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
}
