import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';
import type { AgencyAnswer, AgencyClient } from '../../shared/api/client';
import type { Answer, ByteStream, BytesRoute, Call, JsonRoute } from '../../shared/api/routes';
import { isRecord } from '../../shared/values/json';
import { optionalText } from '../../shared/values/text';
import { fingerprint, fingerprintOf, keyOfWrite, ownKeyOf } from './idempotency';
import type { OutputItem } from './operation';
import { type Run, RunStopped, type SharedByCredential } from './run';

/** One input item: what the user set for it, and the agency as it sees it. */
export class Item {
  private readonly values = new Map<string, unknown>();
  private contentFingerprint?: string;
  private connected?: AgencyClient;

  constructor(
    private readonly run: Run,
    readonly index: number,
  ) {}

  /**
   * Reads the item's credential. An operation runs after this.
   *
   * @throws InputError when its address or key cannot be used
   */
  async connect(): Promise<void> {
    this.connected = await this.run.clientOf(this.index);
  }

  private get client(): AgencyClient {
    if (this.connected === undefined) throw new Error('An item makes requests only after it is connected.');
    return this.connected;
  }

  /** n8n's functions of the node, for binary data. */
  get node(): IExecuteFunctions {
    return this.run.node;
  }

  /** The item as the node before gave it. */
  get input(): INodeExecutionData {
    const input = this.run.node.getInputData()[this.index];
    // A Code node can leave out either, or give `null`.
    return { ...input, json: input?.json ?? {}, binary: input?.binary ?? undefined };
  }

  /** The time zone of the workflow, e.g. `Europe/Tallinn`. */
  get timeZone(): string {
    return this.run.node.getTimezone();
  }

  /** The value of a field for this item, expressions resolved, locators as their plain value. */
  value(name: string): unknown {
    // Read once: n8n takes a tenth of a millisecond for it, and a long list asks for every row.
    const known = this.run.values.has(name) ? this.run.values : this.values;
    if (known.has(name)) return known.get(name);
    const value: unknown = this.run.node.getNodeParameter(name, this.index, null);
    const plain = isResourceLocatorValue(value) ? value.value : value;
    (this.hasExpression(name) ? this.values : this.run.values).set(name, plain);
    return plain;
  }

  /** The value of an entry of "Options", or `null` if it was not added. */
  option(name: string): unknown {
    return this.value(`options.${name}`);
  }

  /** Whether a language model fills in this field: the node is a tool, and the field is set with `$fromAI`. */
  filledByModel(name: string): boolean {
    return isFromModel(this.expression(name) ?? '');
  }

  /** The expression that a field is set with, without its `=`; `undefined` for one that was filled in by hand. */
  expression(name: string): string | undefined {
    const saved = this.saved(name);
    const entered = isResourceLocatorValue(saved) ? saved.value : saved;
    return typeof entered === 'string' && entered.startsWith('=') ? entered.slice(1) : undefined;
  }

  /** Whether a field, or anything in it, is set with an expression. */
  hasExpression(name: string): boolean {
    return JSON.stringify(this.saved(name))?.includes('"=') ?? false;
  }

  /** What the user has entered, expressions and all. */
  saved(name: string): unknown {
    return name
      .split('.')
      .reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), this.run.parameters);
  }

  /** The address of the agency. */
  get agency(): string {
    return this.client.origin;
  }

  /** What all items with the same credential share. */
  get shared(): SharedByCredential {
    return this.run.sharedBy(this.client);
  }

  /** Counts what the user is told at the end of the run, see `Hints.count`. */
  count(what: string, more: number): void {
    this.run.hints.count(what, more);
  }

  /** Keeps a sentence that the user is told once at the end of the run, see `Hints.say`. */
  say(sentence: string): void {
    this.run.hints.say(sentence);
  }

  /**
   * Waits for something outside the node, e.g. for a person. Meanwhile the item gives its place to the next.
   *
   * @param wait is to end soon after the signal is aborted
   * @throws RunStopped when another item's error has stopped the run meanwhile
   */
  async giveWay<T>(wait: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { limit, signal } = this.run;
    limit.giveBack();
    const waited = await wait(signal).finally(async () => await limit.take());
    if (this.run.isStopped) throw new RunStopped();
    return waited;
  }

  /** Puts an output item out by the second output; one that the node does not have is left to the first. */
  handOn(output: OutputItem): OutputItem[] {
    const { handedOn } = this.run;
    if (handedOn === undefined) return [output];
    handedOn[this.index] = { ...output, pairedItem: { item: this.index } };
    return [];
  }

  /** What this node keeps for later tries of the same work, also after "Retry execution". */
  get memory(): Record<string, unknown> {
    return this.run.node.getContext('node');
  }

  /**
   * Sends a request. A write carries an idempotency key, the user's own or one made of this run, this item and
   * this request, so that no try of it does it twice (spec: Idempotency rules).
   *
   * @param step tells two writes of one operation apart that are alike in everything else
   */
  async request<R extends JsonRoute>(route: R, call: Call<R>, step = ''): Promise<AgencyAnswer<Answer<R>>> {
    if (route.startsWith('GET ')) return await this.client.request(route, call);
    const header = {
      ...call.header,
      'Idempotency-Key': this.ownKey(step) ?? keyOfWrite(this.identity(step), route, call),
    };
    return await this.client.request(route, { ...call, header });
  }

  /** Downloads bytes, see `AgencyClient.download`. */
  async download<R extends BytesRoute, T>(
    route: R,
    call: Call<R>,
    consume: (bytes: ByteStream) => Promise<T>,
  ): Promise<T> {
    const { body } = await this.client.download(route, call, consume);
    return body;
  }

  /**
   * The user's own idempotency key for a step, if there is one.
   *
   * @throws InputError when it is too long; an operation of several steps asks for all of them before its first
   */
  ownKey(step: string): string | undefined {
    const own = optionalText('Idempotency Key', this.option('idempotencyKey'), Number.POSITIVE_INFINITY);
    return own === undefined ? undefined : ownKeyOf(own, step);
  }

  /** What tells this step of this item from every other of the execution, and stays the same when it is tried again. */
  identity(step: string): string {
    return fingerprint(this.run.seed, this.index, this.content(), step);
  }

  private content(): string {
    this.contentFingerprint ??= fingerprintOf(this.input);
    return this.contentFingerprint;
  }
}

/** Whether an expression asks a language model for its value. */
export const isFromModel = (expression: string): boolean => /\$fromai\b/i.test(expression);
