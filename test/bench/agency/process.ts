import { join } from 'node:path';
import { start, waitFor } from '../../../tools/n8n/processes/process';

/** What the measured calls did to the agency since it was reset. */
export interface Counts {
  requests: number;
  /** Rows of lists that were handed out. */
  rows: number;
  files: number;
  documents: number;
  /** Approvals that were asked for. */
  approvals: number;
  /** Transfers that wait in their middle now. */
  held: number;
}

/** The agency of the measurements, in a process of its own. */
export interface BenchAgency {
  url: string;
  counts(): Promise<Counts>;
  reset(): Promise<void>;
  /** Holds transfers in their middle, or lets them go on. */
  gate(closed: boolean): Promise<void>;
  /** Approves all that was and will be asked for, until the next reset. */
  approve(): Promise<void>;
  stop(): Promise<void>;
}

/** How an agency of the measurements is started. */
export interface BenchAgencyOptions {
  /** How late every answer of its API comes. */
  latencyMs?: number;
  /** How many events its feed has from the beginning. */
  events?: number;
}

/** Starts the agency of the measurements. */
export async function startBenchAgency({
  latencyMs = 0,
  events = 0,
}: BenchAgencyOptions = {}): Promise<BenchAgency> {
  let url: string | undefined;
  const file = join(__dirname, 'server.ts');
  const options = ['--latency', String(latencyMs), '--events', String(events)];
  const running = start(process.execPath, ['--import', 'tsx', file, ...options], {
    onLine: (line, from) => {
      if (from === 'stdout') url = line;
    },
  });
  const ready = await waitFor('the agency of the measurements', async () => url, {
    seconds: 30,
    everyMs: 20,
    hopeless: running.ended,
    evidence: () => running.tail(),
  });
  return { ...benchAgencyAt(ready), stop: async () => await running.stop() };
}

/** The controls of an agency of the measurements that runs at an address. */
export function benchAgencyAt(url: string): Omit<BenchAgency, 'stop'> {
  const ask = async (route: string, body: object = {}): Promise<Counts> => {
    const answer = await fetch(`${url}/_bench/${route}`, { method: 'POST', body: JSON.stringify(body) });
    return Object(await answer.json());
  };
  return {
    url,
    counts: async () => await ask('counts'),
    reset: async () => void (await ask('reset')),
    gate: async (closed) => void (await ask('gate', { closed })),
    approve: async () => void (await ask('approve')),
  };
}
