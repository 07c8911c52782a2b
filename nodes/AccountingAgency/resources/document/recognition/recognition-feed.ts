import type { IDataObject } from 'n8n-workflow';
import { isInvalidCursor } from '../../../../shared/api/errors/agency-error';
import { type FeedRequest, feedPages } from '../../../../shared/api/event-feed';
import { LARGEST_PAGE } from '../../../../shared/api/pagination';
import type { Schemas } from '../../../../shared/api/routes';
import { systemClock, waitUntil } from '../../../../shared/api/requests/wait';
import { instantOf } from '../../../../shared/values/instant';

/** What became of the text recognition of a document. */
export interface Recognition extends IDataObject {
  status: 'completed' | 'failed' | 'pending';
  /** When the agency said so; `null` while it has not. */
  at: string | null;
  /** The content of the event. */
  data: Schemas['Event']['data'] | null;
}

const PENDING: Recognition = { status: 'pending', at: null, data: null };

const OUTCOMES: Partial<Record<Schemas['EventType'], Recognition['status']>> = {
  'document.ocr_completed': 'completed',
  'document.ocr_failed': 'failed',
};

/** A place in the feed: the cursor after an event, and when that event occurred. */
export interface FeedPosition {
  after: string;
  at: string;
}

/** Where the position of an earlier execution is kept. */
export interface PositionStore {
  get(): FeedPosition | undefined;
  set(position: FeedPosition): void;
}

/**
 * The event feed of one company, as all items of an execution share it. It is read from where an earlier execution has
 * left off, and from its beginning for a document that is older than that, e.g. when an execution is tried again.
 */
export class RecognitionFeed {
  private readonly outcomes = new Map<string, Recognition>();
  private start: FeedPosition | undefined;
  private cursor: string | undefined;
  private lastEventAt: string | undefined;
  private eventsSinceStart = 0;
  private isOpen = false;
  private isAtEnd = false;
  private needsHistory = false;
  private reading?: Promise<void>;
  private nextReadAt = 0;

  /**
   * @param ask asks for a page of the company's events
   * @param pollEveryMs how long to wait before asking again, looked up each time
   */
  constructor(
    private readonly ask: FeedRequest,
    private readonly store: PositionStore,
    private readonly pollEveryMs: () => number,
  ) {
    this.start = store.get();
    this.cursor = this.start?.after;
  }

  /**
   * Reads one page, before anything is uploaded: the key may lack the scope for events. The history of a company may
   * be long, so an upload does not wait for the rest.
   */
  async open(): Promise<void> {
    if (!this.isOpen) await this.read(1);
    this.isOpen = true;
  }

  /**
   * Waits until a document was read.
   *
   * @param until milliseconds since the epoch after which it is no longer waited for; the status then is `pending`
   */
  async outcome(
    { id, createdAt }: Pick<Schemas['Document'], 'id' | 'createdAt'>,
    until: number,
    signal: AbortSignal,
  ): Promise<Recognition> {
    if (!this.outcomes.has(id) && !this.beginsBefore(createdAt)) this.needsHistory = true;
    for (;;) {
      const known = this.outcomes.get(id);
      if (known !== undefined) return known;
      if (systemClock.now() >= until) return PENDING;
      const wake = Math.min(Math.max(this.nextReadAt, systemClock.now()), until);
      if (!(await waitUntil(wake, systemClock, signal))) return PENDING;
      // Another document may have read the feed meanwhile.
      if (systemClock.now() >= Math.min(this.nextReadAt, until)) await this.read();
    }
  }

  /**
   * Keeps the position for the next execution, when reading up to it again would take some requests. More often would
   * be harmful: n8n saves the data of all nodes of the workflow as they were when the execution began.
   */
  keepPosition(): void {
    const { cursor, lastEventAt } = this;
    if (this.eventsSinceStart <= LARGEST_PAGE || cursor === undefined || lastEventAt === undefined) return;
    this.store.set({ after: cursor, at: lastEventAt });
    this.eventsSinceStart = 0;
  }

  /** Whether what becomes of a document of this time can only come after the place where the reading began. */
  private beginsBefore(createdAt: string): boolean {
    return this.start === undefined || instantOf(createdAt) > instantOf(this.start.at);
  }

  private beginAnew(): void {
    this.start = undefined;
    this.cursor = undefined;
    this.isAtEnd = false;
    this.needsHistory = false;
  }

  /** Reads what is new, once for all items that ask at the same time. */
  private async read(pages = Number.POSITIVE_INFINITY): Promise<void> {
    this.reading ??= this.readOn(pages).finally(() => {
      this.reading = undefined;
    });
    await this.reading;
  }

  private async readOn(pages: number): Promise<void> {
    if (this.needsHistory) this.beginAnew();
    await this.readPages(pages).catch(async (thrown: unknown) => {
      if (!isInvalidCursor(thrown) || this.start === undefined || this.cursor !== this.start.after)
        throw thrown;
      // The position was kept for another key, or the agency no longer takes it.
      this.beginAnew();
      await this.readPages(pages);
    });
  }

  private async readPages(most: number): Promise<void> {
    let pages = 0;
    for await (const { events, cursor } of feedPages(this.ask, this.cursor)) {
      for (const { type, subject, createdAt, data } of events) {
        const status = OUTCOMES[type];
        if (status !== undefined) this.outcomes.set(subject.id, { status, at: createdAt, data });
        this.lastEventAt = createdAt;
      }
      // Only the end of the feed leaves the cursor where it is (spec: events.list).
      this.isAtEnd ||= events.length === 0 && cursor === this.cursor;
      this.cursor = cursor;
      this.eventsSinceStart += events.length;
      pages += 1;
      // From the end on, what comes after one page is for the next poll.
      if (pages === most || (this.isAtEnd && events.length > 0)) return this.pauseAfter(events.length);
    }
    this.isAtEnd = true;
    this.pauseAfter(0);
  }

  /** A full page is not the newest, so the next one is asked for at once. */
  private pauseAfter(events: number): void {
    this.nextReadAt = events === LARGEST_PAGE ? 0 : systemClock.now() + this.pollEveryMs();
  }
}
