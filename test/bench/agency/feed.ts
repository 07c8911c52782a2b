import type { Schemas } from '../../../nodes/shared/api/routes';
import { documentEvent, eventNumber } from './records';

type Event = Schemas['Event'];

/** The event feed: a history that is made from numbers, and what happens afterwards. Its cursor is a number. */
export class Feed {
  private readonly newest: Event[] = [];

  constructor(private readonly history: number) {}

  /** A document arrives, and is recognized at once. */
  recognized(documentId: string): void {
    for (const type of ['document.received', 'document.ocr_completed'] as const) {
      this.newest.push(documentEvent(this.length, type, documentId, Date.now()));
    }
  }

  page(after: number, limit: number): { data: Event[]; nextCursor: string | null } {
    const end = Math.min(this.length, after + limit);
    const data = Array.from({ length: end - after }, (_, row) => this.event(after + row));
    return { data, nextCursor: this.length === 0 ? null : String(end) };
  }

  private event(number: number): Event {
    return this.newest[number - this.history] ?? eventNumber(number, this.history);
  }

  private get length(): number {
    return this.history + this.newest.length;
  }
}
