import { sleep } from 'n8n-workflow';

/** Under the minute after which the agency repeats a call for the first time (spec: Webhook delivery, 4). */
const RECENT_MS = 50_000;
/** How long a call waits to see its event stored; the agency waits 10 seconds for an answer. */
const STORING_TIMEOUT_MS = 3_000;
const STEP_MS = 25;

interface RecentEvent {
  at: number;
  /** n8n has stored the execution: it has begun in this process. */
  stored: boolean;
}

/**
 * The events that this process took in the last minute, by key. A copy that comes at the same time is answered without
 * an execution of its own, but only when the first one is safe: otherwise an event would be lost whose first call n8n
 * could not store. Only a short cut: what makes an event run once is `claim`.
 */
export class RecentEvents {
  private readonly byKey = new Map<string, RecentEvent>();

  /** Whether this process took the event itself, so that no other process executes it. */
  has(key: string): boolean {
    return this.fresh(key) !== undefined;
  }

  /** Notes an event that this process takes. @returns whether it has not taken it before */
  note(key: string): boolean {
    if (this.has(key)) return false;
    this.byKey.set(key, { at: Date.now(), stored: false });
    return true;
  }

  /** Notes an event. Resolves with `true` when an execution for it is already stored. */
  async isCopy(key: string): Promise<boolean> {
    return !this.note(key) && (await this.isStored(key));
  }

  /** Resolves with `true` when an execution for an event that was noted is stored, with `false` when none is in time. */
  async isStored(key: string): Promise<boolean> {
    const noted = this.byKey.get(key);
    for (let waited = 0; noted?.stored === false && waited < STORING_TIMEOUT_MS; waited += STEP_MS) {
      await sleep(STEP_MS);
    }
    return noted?.stored === true;
  }

  /** Called when the execution of an event begins. */
  stored(key: string): void {
    const first = this.byKey.get(key);
    if (first !== undefined) first.stored = true;
  }

  private fresh(key: string): RecentEvent | undefined {
    const oldest = Date.now() - RECENT_MS;
    // The map keeps the order of arrival.
    for (const [old, { at }] of this.byKey) {
      if (at > oldest) break;
      this.byKey.delete(old);
    }
    return this.byKey.get(key);
  }
}
