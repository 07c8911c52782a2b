import type { IDataObject } from 'n8n-workflow';
import { type FeedRequest, feedPages } from '../../../shared/api/event-feed';
import type { Schemas } from '../../../shared/api/routes';
import { systemClock, waitUntil } from '../../../shared/api/wait';
import type { Item } from '../../engine/item';

const POLL_EVERY_MS = 2000;

/** What became of the text recognition of a document. */
export interface Recognition extends IDataObject {
  status: 'completed' | 'failed' | 'pending';
  /** When the agency said so; `null` while it has not. */
  at: string | null;
  /** The content of the event. */
  data: Schemas['Event']['data'] | null;
}

const OUTCOMES: Partial<Record<Schemas['EventType'], Recognition['status']>> = {
  'document.ocr_completed': 'completed',
  'document.ocr_failed': 'failed',
};

/**
 * The event feed of one company, as all items of an execution share it: read to its end once, and polled from there.
 * It remembers every outcome that it has seen, since a repeated try may ask for a document that has long been read.
 */
export class RecognitionFeed {
  private readonly outcomes = new Map<string, Recognition>();
  private cursor: string | undefined;
  private reading?: Promise<void>;
  private nextReadAt = 0;
  private isWalked = false;

  constructor(private readonly companyId: string) {}

  static readonly is = (value: unknown): value is RecognitionFeed => value instanceof RecognitionFeed;

  /** Resolves when the feed was read to its end once, whoever asked first. */
  async walked(item: Item): Promise<void> {
    if (!this.isWalked) await this.read(item);
    this.isWalked = true;
  }

  /** Reads what is new, once for all items that ask at the same time. */
  private async read(item: Item): Promise<void> {
    this.reading ??= this.readOn(item).finally(() => {
      this.reading = undefined;
    });
    await this.reading;
  }

  /**
   * Waits until a document was read.
   *
   * @param until milliseconds since the epoch after which it is no longer waited for; the status then is `pending`
   */
  async outcome(item: Item, documentId: string, until: number): Promise<Recognition> {
    for (;;) {
      const known = this.outcomes.get(documentId);
      if (known !== undefined) return known;
      if (systemClock.now() >= until) return { status: 'pending', at: null, data: null };
      const wake = Math.min(Math.max(this.nextReadAt, systemClock.now()), until);
      if (!(await waitUntil(wake, systemClock, item.signal)))
        return { status: 'pending', at: null, data: null };
      // Another document may have read the feed meanwhile.
      if (systemClock.now() >= Math.min(this.nextReadAt, until)) await this.read(item);
    }
  }

  private async readOn(item: Item): Promise<void> {
    const { companyId } = this;
    const ask: FeedRequest = async (page) =>
      await item.request('GET /events', { query: { companyId, ...page } });
    for await (const { events, cursor } of feedPages(ask, this.cursor)) {
      for (const { type, subject, createdAt, data } of events) {
        const status = OUTCOMES[type];
        if (status !== undefined) this.outcomes.set(subject.id, { status, at: createdAt, data });
      }
      this.cursor = cursor;
    }
    this.nextReadAt = systemClock.now() + POLL_EVERY_MS;
  }
}
