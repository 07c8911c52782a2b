import { setTimeout as wait } from 'node:timers/promises';
import type { WorkflowActivateMode } from 'n8n-workflow';
import { type Receiver, startReceiver } from '../proxies/receiver';
import type { Agency } from '../sandbox/agency';
import { passTimeFaster } from '../time/fast-time';
import { until } from '../time/until';
import { useAgency } from './registered';
import { Host, type RunningTrigger, type StoredWorkflow, storedWorkflow } from './trigger';

/** What the tests of a Jest file share: an agency, the address that it calls, and a time that passes faster. */
export interface Around {
  agency: () => Agency;
  receiver: () => Receiver;
  /** Lets so many milliseconds pass at once. */
  skipTime: (milliseconds: number) => void;
  /** A new n8n, with a workflow that begins with the trigger. */
  n8n: (changes?: Partial<StoredWorkflow>, classic?: boolean) => N8n;
}

/** Prepares all that for a Jest file. What n8n runs ends with each test. */
export function useN8n(): Around {
  const agency = useAgency();
  const running: RunningTrigger[] = [];
  let started: Receiver | undefined;
  let skipTime: Around['skipTime'] = () => undefined;
  const receiver = () => {
    if (started === undefined) throw new Error('The receiver runs only while tests do.');
    return started;
  };
  beforeAll(async () => {
    started = await startReceiver();
  });
  beforeEach(() => {
    skipTime = passTimeFaster(100);
  });
  afterEach(async () => {
    for (const trigger of running.splice(0)) await trigger.close();
    jest.restoreAllMocks();
  });
  afterAll(async () => await started?.close());
  return {
    agency,
    receiver,
    skipTime: (milliseconds) => skipTime(milliseconds),
    n8n: (changes, classic) => new N8n(agency(), receiver(), running, changes, classic),
  };
}

/** n8n, which takes the agency's calls at its address unless it is off. */
export class N8n {
  readonly host: Host;
  isOn = true;
  /** Whether it answers every call with 200 and drops it, as n8n does before its database is migrated. */
  isMigrating = false;
  /** Calls that came while it was off, or migrating. */
  refused = 0;
  readonly stored: StoredWorkflow;
  trigger?: RunningTrigger;

  /** @param running what is to end with the test */
  constructor(
    readonly agency: Agency,
    receiver: Receiver,
    private readonly running: RunningTrigger[],
    changes: Partial<StoredWorkflow> = {},
    classic = false,
  ) {
    this.host = new Host(classic);
    const host = new URL(receiver.url).origin;
    this.stored = storedWorkflow(agency.credential(), { host, ...changes });
    receiver.answer((call, response) => {
      if (!this.isOn) {
        this.refused += 1;
        response.destroy();
        return;
      }
      if (this.isMigrating) {
        this.refused += 1;
        response.end('n8n is starting up. Please wait');
        return;
      }
      const { body, headers } = call;
      void this.host
        .deliver(this.stored, { headers, rawBody: Buffer.from(body) })
        .then(({ status }) => response.writeHead(status).end());
    });
  }

  async publish(): Promise<void> {
    this.running.push((this.trigger = await this.host.start(this.stored)));
    await this.isIdle();
  }

  /** Gets what runs beside the hooks, which another process has called. */
  async startTriggerAlone(activation: WorkflowActivateMode = 'leadershipChange'): Promise<void> {
    this.running.push((this.trigger = await this.host.startAlone(this.stored, activation)));
    await this.isIdle();
  }

  /** Hooks and trigger side by side, as n8n 2 calls them. @returns what the hooks threw */
  async publishSideBySide(activation: WorkflowActivateMode): Promise<unknown> {
    const [hooks] = await Promise.allSettled([
      this.host.activate(this.stored, activation),
      this.startTriggerAlone(activation),
    ]);
    return hooks.status === 'rejected' ? hooks.reason : undefined;
  }

  async unpublish(): Promise<void> {
    await this.trigger?.close();
    await this.host.deactivate(this.stored);
  }

  /** Stopped or killed; nothing is saved. */
  async stop(): Promise<void> {
    this.isOn = false;
    await this.trigger?.close();
  }

  async begin(): Promise<void> {
    this.isOn = true;
    this.running.push((this.trigger = await this.host.start(this.stored, 'init')));
    await this.isIdle();
  }

  /** Until a comparison has ended: the agency has been asked nothing for a while. */
  async isIdle(): Promise<void> {
    for (let asked = -1, before = -2; asked !== before;) {
      before = asked;
      await wait(250);
      asked = await this.agency.asked();
    }
  }

  emitted(): number {
    return this.trigger?.emitted.length ?? 0;
  }

  /** Expects each of the newest events to have run once, and nothing else. */
  async expectEachOnce(count: number): Promise<void> {
    const { ran } = this.host;
    await until('all events to run', () => ran.length >= count);
    const newest = await newestIds(this.agency, count);
    expect(ran.map(({ id }) => String(id)).sort()).toEqual(newest.sort());
  }
}

/** The IDs of the newest events of the feed, oldest first. */
export async function newestIds(agency: Agency, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ;) {
    const { body } = await agency.sandbox.call<{ data: Array<{ id: string }>; nextCursor: string }>({
      path: '/events',
      query: { limit: 200, ...(after !== undefined && { after }) },
    });
    if (body.data.length === 0) return ids.slice(-count);
    ids.push(...body.data.map(({ id }) => id));
    after = body.nextCursor;
  }
}
