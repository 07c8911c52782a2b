import { join } from 'node:path';
import { run } from '../../tools/n8n/processes/process';
import { type BenchAgency, startBenchAgency } from './agency/process';
import type { Taken } from './large/contender';
import { median, ratios, shown, shownRatio, type Turn } from './measuring/measure';
import type { Bench, Row } from './measuring/table';

const WHO = ['ours', 'http', 'helper', 'floor'] as const;
type Who = (typeof WHO)[number];
const CONTENDER = join(__dirname, 'large/contender.ts');
const HISTORY = 20_000;
const APPROVALS = 1_000;
const ITEMS = { quick: 2_000, all: 10_000 };

/** What is measured, and what is to come of it. */
interface Case {
  work: string;
  name: string;
  count?: number;
  rounds: number;
  /** Times before the first that counts. */
  before?: number;
  /** What the HTTP Request node is set to. */
  instead: string;
  requests: number;
  mostMb: number;
}

/** Work with many records: its requests and its memory. */
export const large: Bench = {
  name: 'large',
  async run({ quick, say }) {
    const agency = await startBenchAgency({ events: HISTORY });
    try {
      const rows: Row[] = [];
      for (const one of cases(quick ? 3 : 7)) {
        say(`${one.work} ...`);
        rows.push(await measure(agency, one));
      }
      say('Many items through one node ...');
      rows.push(await itemsRow(agency, quick ? ITEMS.quick : ITEMS.all, quick ? 3 : 7));
      return rows;
    } finally {
      await agency.stop();
    }
  },
};

const cases = (rounds: number): Case[] => [
  {
    work: 'Get Obligations of 2,000 companies',
    name: 'obligations',
    rounds,
    instead: 'HTTP Request and two Split Out nodes',
    requests: 10,
    mostMb: 120,
  },
  {
    work: 'Upload of 20 files with Skip, 20,000 documents in the company',
    name: 'skip',
    rounds,
    instead: 'HTTP Request, the list alone',
    // The company, the pages, and two for each of the files that are not there.
    requests: 1 + 100 + 20,
    mostMb: 120,
  },
  {
    work: 'Upload and wait for text recognition, 20,000 events of history, second run',
    name: 'recognition',
    rounds: 3,
    before: 1,
    instead: 'HTTP Request, the whole feed',
    requests: 5,
    mostMb: 60,
  },
  {
    work: `${APPROVALS} changes that all wait for their approvals`,
    name: 'approvals',
    count: APPROVALS,
    rounds: 1,
    instead: 'two HTTP Request nodes, without the waiting',
    requests: 2 * APPROVALS,
    mostMb: 60,
  },
];

async function measure({ url }: BenchAgency, one: Case): Promise<Row> {
  const { work, instead, requests, mostMb } = one;
  const [ours, http] = [await contender(url, 'ours', one), await contender(url, 'http', one)];
  const most = Math.max(...ours.map((taken) => taken.requests));
  const { peak, held } = first(ours);
  return {
    work,
    ours: text(ours),
    other: `${text(http)}: ${instead}`,
    floor: '–',
    ratio: `${most} requests, ${peak.toFixed(0)} MB at most, ${held.toFixed(0)} MB held`,
    target: `at most ${requests} requests and ${mostMb} MB`,
    met: most <= requests && peak <= mostMb,
  };
}

/** Of a bare node with n8n's request helper. */
const MOST_PER_ITEM = 1.5;
const MOST_KB_PER_ITEM = 10;

async function itemsRow({ url }: BenchAgency, count: number, rounds: number): Promise<Row> {
  const one = { name: 'items', count, rounds: 1 };
  const taken: Record<Who, Taken[]> = { ours: [], http: [], helper: [], floor: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const who of WHO) taken[who].push(...(await contender(url, who, one)));
  }
  const [ours = [], , helper, floor] = WHO.map((who) => turns(taken[who]));
  const reached = median(ratios(ours, helper));
  const perItem = (1024 * first(taken.ours).held) / count;
  return {
    work: `${count.toLocaleString('en')} items through one node, a request each`,
    ours: text(taken.ours),
    other: text(taken.http),
    floor: text(taken.floor),
    ratio: `${shownRatio(ours, helper)} of a bare node, ${shownRatio(ours, floor)} of the floor; ${perItem.toFixed(1)} KB an item`,
    target: `at most ${MOST_PER_ITEM} of a bare node, ${MOST_KB_PER_ITEM} KB an item`,
    met: reached <= MOST_PER_ITEM && perItem <= MOST_KB_PER_ITEM,
  };
}

const turns = (taken: Taken[]): Turn[] =>
  taken.map(({ milliseconds, cpu }) => ({ value: milliseconds, cpu }));

/** Of the first time: later ones find memory that the process has kept. */
function first([taken]: Taken[]): Taken {
  if (taken === undefined) throw new Error('Nothing was measured.');
  return taken;
}

function text(taken: Taken[]): string {
  const { requests, peak } = first(taken);
  return `${shown(turns(taken), 'ms')}, ${requests} requests, ${peak.toFixed(0)} MB`;
}

async function contender(
  url: string,
  who: Who,
  { name, count = 1, rounds, before = 0 }: Pick<Case, 'name' | 'count' | 'rounds' | 'before'>,
): Promise<Taken[]> {
  const args = Object.entries({ url, who, work: name, count, rounds, before }).flatMap(([option, value]) => [
    `--${option}`,
    String(value),
  ]);
  const output = await run(process.execPath, ['--expose-gc', '--import', 'tsx', CONTENDER, ...args], {
    what: `Measuring ${name} (${who})`,
    resolution: 'Run "npm run build" first.',
  });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}
