import { join } from 'node:path';
import { run } from '../../tools/n8n/processes/process';
import { startBenchAgency } from './agency/process';
import type { Start } from './large/trigger-contender';
import { median, shown } from './measuring/measure';
import type { Bench, Row } from './measuring/table';

const CONTENDER = join(__dirname, 'large/trigger-contender.ts');
const EVENTS = 100_000;
const PAGES = EVENTS / 200;
const ROUNDS = 3;
const MOST_READY_MS = 1000;
const MOST_MB = 80;

/** What the triggers ask the agency for, and what a start with a long feed takes. */
export const trigger: Bench = {
  name: 'trigger',
  async run({ quick, say }) {
    const agency = await startBenchAgency({ events: EVENTS });
    try {
      const start = async (who: Who, position: number): Promise<Start> =>
        await contender(agency.url, who, position);
      say('An empty comparison ...');
      const empty = { webhook: await start('webhook', EVENTS), feed: await start('feed', EVENTS) };
      const asked = await start('http', EVENTS);
      say(`A start with ${EVENTS} events ...`);
      const starts: Start[] = [];
      while (starts.length < (quick ? 1 : ROUNDS)) starts.push(await start('webhook', 0));
      return [emptyRow(empty, asked), startRow(starts, await start('http', 0))];
    } finally {
      await agency.stop();
    }
  },
};

type Who = 'webhook' | 'feed' | 'http';

function emptyRow({ webhook, feed }: Record<'webhook' | 'feed', Start>, asked: Start): Row {
  const ratio = `Feed Trigger ${feed.requests} request, Trigger ${webhook.requests}`;
  return {
    work: 'Comparison with the event feed that finds nothing new',
    ours: ratio,
    other: `${asked.requests} request, HTTP Request`,
    floor: '–',
    ratio,
    target: 'Feed Trigger 1 request, Trigger 2',
    met: feed.requests === 1 && webhook.requests <= 2,
  };
}

function startRow(starts: Start[], other: Start): Row {
  const [first] = starts;
  if (first === undefined) throw new Error('Nothing was measured.');
  const ready = median(starts.map(({ answeredMs }) => answeredMs));
  const times = starts.map(({ milliseconds }) => ({ value: milliseconds / 1000 }));
  const mb = (one: Start) => `${one.peak.toFixed(0)} MB at most, ${one.held.toFixed(0)} MB held`;
  return {
    work: 'Start of n8n with 100,000 events since the kept position, without the pauses between pages',
    ours: `${first.events} events, ${shown(times, 's', 1)}, ${first.requests} requests, ${mb(first)}`,
    other: `${other.requests} requests, ${mb(other)}: HTTP Request`,
    floor: '–',
    ratio: `webhook answered after ${ready.toFixed(0)} ms; ${mb(first)}`,
    target: `webhook within ${MOST_READY_MS} ms, at most ${MOST_MB} MB, each event once`,
    met:
      ready <= MOST_READY_MS &&
      first.peak <= MOST_MB &&
      first.events === EVENTS &&
      first.requests <= PAGES + 10,
  };
}

async function contender(url: string, who: Who, position: number): Promise<Start> {
  const args = Object.entries({ url, who, position, events: EVENTS - position }).flatMap(
    ([option, value]) => [`--${option}`, String(value)],
  );
  const output = await run(process.execPath, ['--expose-gc', '--import', 'tsx', CONTENDER, ...args], {
    what: `Measuring a start (${who})`,
    resolution: 'See what it reports.',
  });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}
