import type { AgencyClient } from '../../shared/api/client';
import { listPages } from '../../shared/api/pagination';
import type { Schemas } from '../../shared/api/routes';
import { systemClock as clock } from '../../shared/api/requests/wait';
import type { Delivery } from './comparison';

/** A tenth of what the agency takes from a key (spec: Limits). */
export const BETWEEN_REQUESTS_MS = 1_000;
/** Deliveries that are read for one comparison; what is beyond is judged when its execution begins. */
const MOST_DELIVERY_PAGES = 10;

/** The agency's own list of what it delivered to an endpoint, read as far as it is needed. */
export class EndpointDeliveries {
  readonly byEvent = new Map<string, Delivery>();
  private readonly pages?: AsyncGenerator<Array<Schemas['WebhookDelivery']>>;
  private left = MOST_DELIVERY_PAGES;

  constructor(client: AgencyClient, id: string | undefined) {
    if (id === undefined) return;
    this.pages = listPages(
      async (query) =>
        await client.request('GET /webhook-endpoints/{id}/deliveries', { path: { id }, query }),
    );
  }

  /** Reads on until all the events are found, or there is no more. */
  async readUntil(events: string[]): Promise<void> {
    while (this.pages !== undefined && this.left > 0 && !events.every((id) => this.byEvent.has(id))) {
      if (this.left < MOST_DELIVERY_PAGES) await clock.sleep(BETWEEN_REQUESTS_MS);
      const page = await this.pages.next();
      this.left = page.done === true ? 0 : this.left - 1;
      for (const { eventId, status, attempts } of page.value ?? []) {
        // An event has one delivery for each endpoint; should there be two, one that succeeded counts.
        if (this.byEvent.get(eventId)?.status !== 'succeeded')
          this.byEvent.set(eventId, { status, attempts });
      }
    }
  }
}
