import type { Schemas } from '../../shared/api/routes';
import { type AgencyEvent, TEST_EVENT } from '../../shared/events/event-types';
import { type EventFilter, matches } from '../../shared/events/filter';
import { instantOf } from '../../shared/values/instant';
import { TAKEN } from '../answer';

/** So far the clocks of n8n and of the agency may differ, or else n8n refuses every call. */
const CLOCKS_DIFFER_MS = 300_000;

/** What is known when an event of the feed is compared with what the endpoint delivered. Times in milliseconds. */
export interface Known {
  filter: EventFilter;
  /** Older events do not run: the beginning of the window, or the first publication. */
  from: number;
  /** When the endpoint was created, by the agency's clock; `undefined` while there is none. */
  endpointSince?: number;
  /** Without a delivery, only an event that occurred after this may still be on its way. */
  recentFrom: number;
  deliveries: Deliveries;
  /** Whether a call has reached this process, so that it is not always something else that answers. */
  takesCalls: boolean;
  /** When n8n started, and when it ran its triggers: for a part of that time, it answers each call with 200 and drops it. */
  starting: { from: number; to: number };
  /** Whether this process has handled the event, so that nothing is left to do. */
  isHandled: (event: string) => boolean;
  /** Whether an event that may still arrive by itself has been waited for long enough. */
  isOverdue: (event: string) => boolean;
}

/** What counts of a delivery (spec: WebhookDelivery). */
export type Delivery = Pick<
  Schemas['WebhookDelivery'],
  'status' | 'attempts' | 'lastStatusCode' | 'deliveredAt'
>;

/** The endpoint's deliveries, as far as they were read. */
export interface Deliveries {
  byEvent: ReadonlyMap<string, Delivery>;
  /** Whether one of them shows this node's own answer, so that the agency keeps answers. */
  showAnswers: boolean;
}

/** `run`: it did not arrive; `done`: it arrived, or is not wanted; `wait`: it may be on its way at this moment. */
export type Judgement = 'run' | 'done' | 'wait';

/** What becomes of an event of the feed. Depends on nothing but what it is given. */
export function judge(event: AgencyEvent, known: Known): Judgement {
  if (!isDue(event, known)) return 'done';
  const delivery = known.deliveries.byEvent.get(event.id);
  // Should it have run all the same, its execution ends the repeat.
  if (delivery?.status === 'succeeded') return wasTaken(delivery, known) ? 'done' : 'run';
  const { endpointSince = Number.POSITIVE_INFINITY } = known;
  const mayCome =
    delivery === undefined
      ? instantOf(event.createdAt) >= Math.max(endpointSince, known.recentFrom)
      : delivery.status === 'pending' && delivery.attempts === 0;
  return mayCome && !known.isOverdue(event.id) ? 'wait' : 'run';
}

/** Whether this node answered, not n8n that was starting, nor a proxy in front of it. */
function wasTaken({ lastStatusCode, deliveredAt }: Delivery, known: Known): boolean {
  const { deliveries, takesCalls, starting } = known;
  // Where calls arrive and no delivery shows this answer, the agency does not keep it, or something behind it has changed it.
  const isTelling = deliveries.showAnswers || !takesCalls;
  if (isTelling && typeof lastStatusCode === 'number') return lastStatusCode === TAKEN;
  const time = instantOf(deliveredAt);
  return !(time >= starting.from - CLOCKS_DIFFER_MS && time <= starting.to + CLOCKS_DIFFER_MS);
}

/** Whether an event is one to run, unless the endpoint delivered it. */
export function isDue(
  event: AgencyEvent,
  { filter, from, isHandled }: Pick<Known, 'filter' | 'from' | 'isHandled'>,
): boolean {
  // A time that cannot be read is not too old.
  const isTooOld = instantOf(event.createdAt) < from;
  return event.type !== TEST_EVENT && !isTooOld && matches(event, filter) && !isHandled(event.id);
}
