import { MINUTE, type Clock } from '../time/clock';
import { ApiError } from './errors';

/** Requests per minute and credential (API specification, Limits). */
export const DEFAULT_RATE = 600;

/** Counts each credential's requests in a window of a minute, which its first request opens. */
export class RateLimit {
  private readonly windows = new Map<string, { endsAt: number; used: number }>();

  /** @param limit Requests per minute; `off`: no limit. */
  constructor(
    private readonly clock: Clock,
    private readonly limit: number | 'off',
  ) {}

  /** @throws ApiError `RATE_LIMITED` when the minute's requests are used up. */
  count(credentialId: string): void {
    if (this.limit === 'off') return;
    const now = this.clock.now();
    const known = this.windows.get(credentialId);
    const window = known && known.endsAt > now ? known : { endsAt: now + MINUTE, used: 0 };
    this.windows.set(credentialId, window);
    if (window.used >= this.limit) {
      throw new ApiError('RATE_LIMITED', `More than ${this.limit} requests in a minute.`, {
        hint: 'Wait for the number of seconds in the Retry-After header.',
        headers: { 'retry-after': '60' },
      });
    }
    window.used += 1;
  }

  reset(): void {
    this.windows.clear();
  }
}
