import { type ITriggerFunctions, NodeOperationError } from 'n8n-workflow';
import type { AgencyClient } from '../../shared/api/client';
import { agencyClient } from '../../shared/api/credential';
import { isInvalidCursor } from '../../shared/api/errors/agency-error';
import { type FeedPage, feedPages, type FeedRequest } from '../../shared/api/event-feed';
import { systemClock as clock } from '../../shared/api/requests/wait';
import type { AgencyEvent } from '../../shared/events/event-types';
import type { EventFilter } from '../../shared/events/filter';
import { type Outage, type OutageWords, tellEnd, tellFailure } from '../../shared/events/outage';
import { nameOf } from '../../shared/node-identity';
import { instantOf, isTime } from '../../shared/values/instant';
import { hasBegun } from '../deduplication/deduplication';
import type { Endpoint } from '../endpoint/endpoint-requests';
import { healEndpoint } from '../endpoint/healing';
import type { RecoverySettings } from '../parameters';
import { type FeedProgress, memoryOf } from '../state/memory';
import { saveSoon } from '../state/saving';
import { newestRegistration, ownProgress } from '../state/static-data';
import { isDue, judge, type Judgement, type Known } from './comparison';
import { BETWEEN_REQUESTS_MS, EndpointDeliveries } from './endpoint-deliveries';
import { runEvents } from './feed-executions';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How long an event may be on its way before it runs from the feed: longer than the first attempt takes. */
const ON_ITS_WAY_MS = 45_000;
/** The clocks of n8n and of the agency may differ by less than that. */
const RECENT_MS = 60 * MINUTE_MS;
/** Events behind one that may still arrive; then the comparison goes on later. */
const MOST_HANDLED_AHEAD = 2_000;
/** While n8n publishes, the endpoint is being created beside `trigger()`. */
const ENDPOINT_TIMEOUT_MS = 30_000;
const STEP_MS = 250;
/** This file is loaded when n8n starts the first of these triggers, and takes calls already. */
const LOADED_AT = Date.now();
const STARTING = { from: LOADED_AT - performance.now(), to: LOADED_AT };
const FEED_OUTAGE: OutageWords = {
  begins: 'cannot compare its deliveries with the event feed, and tries again every minute',
  lasts: 'The comparison with the event feed has failed for an hour.',
  outlook: 'The node keeps trying, and then runs what did not arrive within the recovery window.',
  ends: 'The comparison with the event feed works again. Events that did not arrive run now.',
};
/** Of the endpoint alone, while the feed can be compared. */
const ENDPOINT_OUTAGE: OutageWords = {
  begins: 'cannot check its webhook endpoint, and tries again every minute',
  lasts: 'The webhook endpoint could not be checked for an hour.',
  outlook: 'The node keeps trying. Events that do not arrive run from the event feed.',
  ends: 'The webhook endpoint is checked again.',
};

/** The comparisons of one node, from its publication or the start of n8n until its end. */
export class Recovery {
  private isClosed = false;
  private isRunning = false;
  private dueAt = 0;
  private readonly outages = new Map<OutageWords, Outage>();
  /** Since when events that may arrive by themselves have been waited for. */
  private readonly waitedSince = new Map<string, number>();
  /** Events behind the position that were handed to n8n. */
  private readonly handled = new Set<string>();

  constructor(
    private readonly context: ITriggerFunctions,
    private readonly settings: RecoverySettings,
    private readonly filter: EventFilter,
  ) {}

  /** What was not saved is left to the next start, in whichever process. */
  close(): void {
    this.isClosed = true;
    memoryOf(this.context).isUnsaved = false;
  }

  private get isStopped(): boolean {
    return this.isClosed || memoryOf(this.context).isRefused === true;
  }

  /** Called every minute. */
  async tick(): Promise<void> {
    const dueInMs = this.dueAt - clock.now();
    // The clock of the machine may have been set back.
    const isEarly = dueInMs > 0 && dueInMs <= this.settings.everyMinutes * MINUTE_MS;
    if (this.isRunning || this.isStopped || isEarly) return;
    this.isRunning = true;
    let nextInMinutes = 1;
    try {
      const isComplete = await this.compare();
      if (isComplete) nextInMinutes = this.settings.everyMinutes;
      if (!this.isStopped) this.works(FEED_OUTAGE);
    } catch (error) {
      this.fails(FEED_OUTAGE, error);
    }
    // Half a minute early, since the tick is not exact.
    this.dueAt = clock.now() + (nextInMinutes - 0.5) * MINUTE_MS;
    this.isRunning = false;
  }

  /** @returns whether nothing is left that must be looked at again soon */
  private async compare(): Promise<boolean> {
    await this.endpointIsMade();
    if (this.isStopped) return false;
    const client = await agencyClient(this.context);
    const [healing] = await Promise.allSettled([healEndpoint(this.context, client, this.filter)]);
    const isHealed = healing.status === 'fulfilled';
    const endpoint = isHealed ? healing.value : newestRegistration(this.context).endpoint;
    // What keeps from the endpoint may still leave the feed.
    const deliveries = new EndpointDeliveries(client, isHealed ? endpoint?.id : undefined);
    const progress = this.progress(client.origin, endpoint);
    const isComplete = await this.readFrom(client, endpoint, deliveries, progress);
    if (!isHealed) this.fails(ENDPOINT_OUTAGE, healing.reason);
    else if (endpoint !== undefined && !this.isStopped) this.works(ENDPOINT_OUTAGE);
    return isHealed && isComplete;
  }

  /** Reads on, from the beginning of the feed if the agency no longer accepts the position. */
  private async readFrom(
    client: AgencyClient,
    endpoint: Endpoint | undefined,
    deliveries: EndpointDeliveries,
    progress: FeedProgress,
  ): Promise<boolean> {
    const [reading] = await Promise.allSettled([this.readOn(client, endpoint, deliveries, progress)]);
    if (reading.status === 'fulfilled') return reading.value;
    if (!isInvalidCursor(reading.reason)) throw reading.reason;
    this.context.logger.warn(
      `The agency no longer accepts the position of ${nameOf(this.context)} in the event feed, so the feed is read from its beginning again. What was compared before does not run again.`,
    );
    return await this.readOn(client, endpoint, deliveries, fromStart(progress));
  }

  private async endpointIsMade(): Promise<void> {
    for (let waited = 0; waited < ENDPOINT_TIMEOUT_MS && !this.isStopped; waited += STEP_MS) {
      if (newestRegistration(this.context).endpoint !== undefined) return;
      await clock.sleep(STEP_MS);
    }
  }

  private progress(agency: string, endpoint: Endpoint | undefined): FeedProgress {
    const place = { agency, workflowId: this.context.getWorkflow().id ?? '' };
    const since = endpoint?.createdAt ?? new Date().toISOString();
    return ownProgress(newestRegistration(this.context), place) ?? { ...place, since };
  }

  private async readOn(
    client: AgencyClient,
    endpoint: Endpoint | undefined,
    deliveries: EndpointDeliveries,
    progress: FeedProgress,
  ): Promise<boolean> {
    const known: Known = {
      filter: this.filter,
      from: Math.max(instantOf(progress.since), Date.now() - this.settings.windowDays * DAY_MS),
      endpointSince: endpoint?.createdAt === undefined ? undefined : instantOf(endpoint.createdAt),
      recentFrom: Date.now() - RECENT_MS,
      deliveries,
      takesCalls: memoryOf(this.context).takesCalls === true,
      starting: STARTING,
      isHandled: (id) => this.handled.has(id) || hasBegun(this.context, client.origin, id),
      isOverdue: (id) => this.isOverdue(id),
    };
    let isComplete = true;
    let unsavedPages = 0;
    const ask: FeedRequest = async (query) => await client.request('GET /events', { query });
    for await (const page of feedPages(ask, progress.position)) {
      isComplete = (await this.handle(page, known, deliveries, client.origin)) && isComplete;
      // After its end, another run of this node may have begun from another position.
      if (this.isStopped) return false;
      if (isComplete) this.moveOn(progress, page);
      unsavedPages += 1;
      if (await saveSoon(this.context, this.filter, unsavedPages)) unsavedPages = 0;
      if (this.handled.size > MOST_HANDLED_AHEAD) break;
      if (page.events.length > 0) await clock.sleep(BETWEEN_REQUESTS_MS);
    }
    return isComplete;
  }

  /** @returns whether nothing of the page is left */
  private async handle(
    { events }: FeedPage,
    known: Known,
    deliveries: EndpointDeliveries,
    agency: string,
  ): Promise<boolean> {
    const due = events.filter((event) => isDue(event, known));
    if (due.length === 0) return true;
    await deliveries.readUntil(due);
    const judged = new Map<AgencyEvent, Judgement>(due.map((event) => [event, judge(event, known)]));
    const of = (judgement: Judgement) => due.filter((event) => judged.get(event) === judgement);
    const missed = of('run');
    const run = await runEvents(this.context, agency, missed, () => this.isStopped, this.handled);
    if (run > 0) {
      this.context.logger.info(
        `${nameOf(this.context)} ran ${run} ${run === 1 ? 'event' : 'events'} from the event feed that its webhook endpoint had not delivered.`,
      );
    }
    return of('wait').length === 0 && missed.every(({ id }) => this.handled.has(id));
  }

  private moveOn(progress: FeedProgress, { events, cursor }: FeedPage): void {
    const memory = memoryOf(this.context);
    // Without news since a start of n8n, what it has saved still holds.
    if ((memory.progress ?? progress).position !== cursor) memory.isUnsaved = true;
    const before = memory.progress?.passed ?? progress.passed;
    const passed = events.map(({ createdAt }) => createdAt).findLast(isTime) ?? before;
    memory.progress = { ...progress, ...(passed !== undefined && { passed }), position: cursor };
    this.waitedSince.clear();
    this.handled.clear();
  }

  private isOverdue(event: string): boolean {
    const since = this.waitedSince.get(event) ?? clock.now();
    this.waitedSince.set(event, since);
    return clock.now() - since >= ON_ITS_WAY_MS;
  }

  private fails(words: OutageWords, error: unknown): void {
    const known = this.outages.get(words);
    const { outage, report } = tellFailure(this.context, words, known, error, clock.now());
    this.outages.set(words, outage);
    if (report !== undefined) this.report(report);
  }

  private works(words: OutageWords): void {
    const report = tellEnd(this.context, words, this.outages.get(words));
    this.outages.delete(words);
    if (report !== undefined) this.report(report);
  }

  /** Tells people who do not read the log: a failed execution runs the error workflow. n8n 1 can only log. */
  private report(said: string): void {
    const error = new NodeOperationError(this.context.getNode(), said);
    if (typeof this.context.saveFailedExecution === 'function') this.context.saveFailedExecution(error);
    else this.context.logger.error(`${nameOf(this.context)}: ${said}`);
  }
}

/**
 * Where to begin when the agency no longer accepts the position. What was compared before does not run again: its
 * endpoint may be gone with its deliveries, and n8n's history is not endless.
 */
function fromStart(progress: FeedProgress): FeedProgress {
  const { since, passed = since } = progress;
  // Less a margin, should the feed not be strictly in the order of time.
  const from = Math.max(instantOf(since), instantOf(passed) - RECENT_MS);
  return { ...progress, since: new Date(from).toISOString(), position: undefined };
}
