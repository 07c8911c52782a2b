import type { Chore } from '../time/schedule';
import { HOUR, MINUTE, type Clock } from '../time/clock';
import type { Database } from '../store/database';
import {
  nextAttempt,
  saveOutcome,
  takeDue,
  takeOne,
  type DueDelivery,
  type Outcome,
} from '../store/deliveries';
import { noteOutcome } from '../store/endpoints';
import type { Answer, WebhookSender } from './sender';

/** Waits after each failed attempt (API specification, Limits). */
export const RETRY_WAITS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/** How many calls are under way at once. */
const CONCURRENCY = 128;

/** What an answer makes of a delivery. */
function outcomeOf(answer: Answer, wait: number | undefined, now: number): Outcome {
  const { succeeded, statusCode, error } = answer;
  const again = !succeeded && wait !== undefined;
  return {
    status: succeeded ? 'succeeded' : again ? 'pending' : 'failed',
    statusCode,
    error,
    nextAttemptAt: again ? now + wait : null,
    deliveredAt: succeeded ? now : null,
  };
}

/** Sends what is due, and schedules what was not taken. */
export class Deliveries implements Chore {
  private readonly sending = new Set<Promise<unknown>>();
  private closed = false;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly sender: WebhookSender,
    private readonly onDone: () => void,
  ) {}

  nextDue(): number | undefined {
    return this.closed || this.sending.size >= CONCURRENCY ? undefined : nextAttempt(this.db);
  }

  async run(now: number): Promise<void> {
    if (this.closed) return;
    const due = takeDue(this.db, now, CONCURRENCY - this.sending.size);
    await Promise.all(
      due.map((delivery) => this.track(this.attempt(delivery, RETRY_WAITS[delivery.attempts]))),
    );
  }

  /** The one call of a test: it is not repeated. */
  async sendTest(deliveryId: number): Promise<Answer> {
    const delivery = takeOne(this.db, deliveryId);
    if (!delivery) throw new Error(`There is no delivery ${deliveryId}`);
    return this.track(this.attempt(delivery, undefined));
  }

  settled(): Promise<unknown> {
    return Promise.all(this.sending);
  }

  /** Breaks off what is under way; it is due again after the next start. */
  async close(): Promise<void> {
    this.closed = true;
    this.sender.close();
    await this.settled();
  }

  private async attempt(delivery: DueDelivery, wait: number | undefined): Promise<Answer> {
    const answer = await this.sender.send(delivery);
    if (this.closed) return answer;
    const now = this.clock.now();
    this.db.transaction(() => {
      saveOutcome(this.db, delivery, outcomeOf(answer, wait, now));
      noteOutcome(this.db, delivery.endpointId, answer.succeeded, now);
    });
    return answer;
  }

  private track<T>(call: Promise<T>): Promise<T> {
    this.sending.add(call);
    return call.finally(() => {
      this.sending.delete(call);
      this.onDone();
    });
  }
}
