import type { AgencyClient } from '../../shared/api/client';
import { listPages } from '../../shared/api/pagination';
import type { Schemas } from '../../shared/api/routes';
import { systemClock as clock } from '../../shared/api/requests/wait';
import type { AgencyEvent } from '../../shared/events/event-types';
import { instantOf } from '../../shared/values/instant';
import { TAKEN } from '../answer';
import type { Deliveries, Delivery } from './comparison';

/** A tenth of what the agency takes from a key (spec: Limits). */
export const BETWEEN_REQUESTS_MS = 1_000;
/** Pages that are read for one comparison; what is beyond is judged when its execution begins. */
const MOST_DELIVERY_PAGES = 100;

/** The agency's own list of what it delivered to an endpoint, read as far as it is needed. */
export class EndpointDeliveries implements Deliveries {
  readonly byEvent = new Map<string, Delivery>();
  showAnswers = false;
  private readonly pages?: AsyncGenerator<Array<Schemas['WebhookDelivery']>>;
  private left = MOST_DELIVERY_PAGES;
  /** Deliveries that were made later than this were read; known only of a list that begins with the newest one. */
  private readBackTo = Number.POSITIVE_INFINITY;

  constructor(client: AgencyClient, id: string | undefined) {
    if (id === undefined) return;
    this.pages = listPages(
      async (query) =>
        await client.request('GET /webhook-endpoints/{id}/deliveries', { path: { id }, query }),
    );
  }

  /** Reads on until all the events are found, or their deliveries cannot follow: none is older than its event. */
  async readUntil(events: AgencyEvent[]): Promise<void> {
    const mayFollow = ({ id, createdAt }: AgencyEvent) =>
      !this.byEvent.has(id) && !(instantOf(createdAt) > this.readBackTo);
    while (this.pages !== undefined && this.left > 0 && events.some(mayFollow)) {
      if (this.left < MOST_DELIVERY_PAGES) await clock.sleep(BETWEEN_REQUESTS_MS);
      const page = await this.pages.next();
      this.left = page.done === true ? 0 : this.left - 1;
      this.note(page.value ?? []);
    }
  }

  private note(page: Array<Schemas['WebhookDelivery']>): void {
    for (const { eventId, status, attempts, lastStatusCode, deliveredAt } of page) {
      if (lastStatusCode === TAKEN) this.showAnswers = true;
      // An event has one delivery for each endpoint; should there be two, one that succeeded counts.
      if (this.byEvent.get(eventId)?.status === 'succeeded') continue;
      this.byEvent.set(eventId, { status, attempts, lastStatusCode, deliveredAt });
    }
    const [newest, oldest] = [page[0], page.at(-1)].map((row) => instantOf(row?.createdAt));
    if (oldest !== undefined && newest !== undefined && newest > oldest) this.readBackTo = oldest;
  }
}
