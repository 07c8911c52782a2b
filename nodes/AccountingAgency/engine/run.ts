import type { IExecuteFunctions, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { AgencyClient } from '../../shared/api/client';
import { itemClients } from '../../shared/api/credential';
import { APPROVAL_NEEDED } from '../fields/node-outputs';
import type { FiledDocuments } from '../resources/document/filing/filed-documents';
import type { RecognitionFeed } from '../resources/document/recognition/recognition-feed';
import { type Seed, seedOf } from './idempotency';

/** What items with the same credential share. */
export class SharedByCredential {
  /** The checks of companies that files are uploaded for, by company. */
  readonly checkedCompanies = new Map<string, Promise<void>>();
  /** The IDs of companies that were looked up by a registration or VAT code, by that code. */
  readonly companiesByCode = new Map<string, Promise<string>>();
  /** The documents that files are compared with, by company. */
  readonly filedDocuments = new Map<string, FiledDocuments>();
  /** The names of companies that were read, by ID. */
  readonly companyNames = new Map<string, string>();
  /** By company. */
  readonly recognitionFeeds = new Map<string, RecognitionFeed>();
}

/** Ends the waiting of an item when another item's error stops the run. */
export class RunStopped extends Error {}

/** What all items of one run of the node share. */
export class Run {
  readonly seed: Seed;
  /** The client of an item, by its number. */
  readonly clientOf: (index: number) => Promise<AgencyClient>;
  /** The fields as they are saved, expressions and all. */
  readonly parameters: INodeParameters;
  /** Values of the fields that are the same for every item, by name. */
  readonly values = new Map<string, unknown>();
  readonly limit: ConcurrencyLimit;
  readonly hints = new Hints();
  /** Items of the second output, each at its number; `undefined` when the node has none, as for AI agents. */
  readonly handedOn?: INodeExecutionData[];
  /** Aborted when the execution is cancelled, or an item's error stops the run: waiting then makes no sense. */
  readonly signal: AbortSignal;
  private readonly shared = new Map<AgencyClient, SharedByCredential>();
  private readonly stopped = new AbortController();

  /** @param concurrency how many items are worked on at the same time */
  constructor(
    readonly node: IExecuteFunctions,
    concurrency: number,
  ) {
    this.seed = seedOf(node);
    this.clientOf = itemClients(node);
    // n8n copies the whole node for whoever asks.
    this.parameters = node.getNode().parameters;
    this.limit = new ConcurrencyLimit(concurrency);
    // n8n evaluates an expression for its answer, so it is asked only where there may be two outputs.
    const mayHandOn = this.parameters.whenApprovalNeeded === 'branch';
    if (mayHandOn && node.getNodeOutputs().some(({ displayName }) => displayName === APPROVAL_NEEDED)) {
      this.handedOn = [];
    }
    const cancelled = node.getExecutionCancelSignal();
    this.signal = AbortSignal.any([this.stopped.signal, ...(cancelled === undefined ? [] : [cancelled])]);
  }

  sharedBy(client: AgencyClient): SharedByCredential {
    const known = this.shared.get(client);
    if (known !== undefined) return known;
    const shared = new SharedByCredential();
    this.shared.set(client, shared);
    return shared;
  }

  /** Lets no further item begin, and ends all waiting. */
  stop(): void {
    this.stopped.abort();
  }

  get isStopped(): boolean {
    return this.stopped.signal.aborted;
  }
}

/** How many items are worked on at the same time: each takes a place, and gives it back. */
class ConcurrencyLimit {
  private readonly queue: Array<() => void> = [];

  constructor(private free: number) {}

  /** Resolves when a place is free, first come, first served. Whoever takes one gives it back. */
  async take(): Promise<void> {
    if (this.free === 0) await new Promise<void>((resolve) => this.queue.push(resolve));
    else this.free -= 1;
  }

  giveBack(): void {
    const next = this.queue.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}

/** What a run has left out, which n8n shows beside the output. */
class Hints {
  private readonly counts = new Map<string, number>();
  private readonly sentences = new Set<string>();

  /** @param what of which there are so many more, in words, e.g. "Small images ignored" */
  count(what: string, more: number): void {
    if (more > 0) this.counts.set(what, more + (this.counts.get(what) ?? 0));
  }

  /** @param sentence shown once, however many items say it */
  say(sentence: string): void {
    this.sentences.add(sentence);
  }

  show(node: Pick<IExecuteFunctions, 'addExecutionHints'>): void {
    const counted = [...this.counts].map(([what, count]) => `${what}: ${count}`);
    node.addExecutionHints(...[...this.sentences, ...counted].map((message) => ({ message })));
  }
}
