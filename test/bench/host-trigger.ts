import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../tools/n8n/install';
import { installPackage } from '../../tools/n8n/package';
import { run } from '../../tools/n8n/processes/process';
import type { Stage } from '../../tools/n8n/stage';
import { deactivate } from '../../tools/n8n/workflows';
import { BARE_TRIGGER, packBareTrigger } from './host/bare-package';
import { catchUp, MOST_MISSED } from './host/catch-up';
import { fire } from './host/fire';
import { activeTrigger, OUR_TRIGGER, type Target, TRIGGER } from './host/target';
import { HostDatabase } from './host/database';
import { onStage } from './host/stage';
import { cpuOf } from './measuring/machine';
import {
  interleaved,
  median,
  quantile,
  ratios,
  type Rounds,
  shown,
  shownRatio,
  type Turn,
} from './measuring/measure';
import type { Bench, Row, Setting } from './measuring/table';

const WIDTHS = [10, 50];
/** Events in one go, to see how long the calls wait; of quick turns, those of all turns count. */
const EVENTS = 1000;
const ENTRIES = 10_000;
const BURST = 100;
const MOST_SECONDS = 6;
const ISOLATES = join(__dirname, 'host/isolates.mjs');
/** Of the events that n8n can execute at all, the trigger is to catch up on this part. */
const LEAST_CAUGHT_UP = 0.8;
const CATCH_UPS = 3;
/** The floor is the same whatever the width. */
const ISOLATE_LANES = 10;

interface Engine {
  name: string;
  environment: Record<string, string>;
  least: number;
  /** Events of a turn. */
  events: { quick: number; all: number };
  /** Whether it makes isolates for every event. */
  isolates: boolean;
  /** Whether catching up is measured too; between the others, one engine would tell nothing new. */
  catchesUp: boolean;
}

/** The settings of n8n's expression engine, and how many of a bare trigger's events each is to reach. */
const ENGINES: Engine[] = [
  {
    name: 'default',
    environment: {},
    least: 0.9,
    events: { quick: 50, all: 100 },
    isolates: true,
    catchesUp: true,
  },
  {
    name: 'lazy',
    environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
    least: 0.6,
    events: { quick: 100, all: 300 },
    isolates: false,
    catchesUp: false,
  },
  {
    name: 'legacy',
    environment: { N8N_EXPRESSION_ENGINE: 'legacy' },
    least: 0.6,
    events: { quick: 100, all: 300 },
    isolates: false,
    catchesUp: true,
  },
];

/** Events a second of the trigger in a real n8n, beside a trigger that checks nothing. */
export const hostTrigger: Bench = {
  name: 'n8n-trigger',
  async run(setting) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-bare-'));
    try {
      const bare = await packBareTrigger(folder);
      return await onStage(setting, { sandboxArgs: ['--rate-limit', 'off'] }, async (stage) => {
        await installPackage(bare, stage.userFolder);
        const rows: Row[] = [];
        for (const engine of ENGINES) {
          await stage.restart('stop', engine.environment);
          rows.push(...(await measure(stage, engine, setting)));
        }
        return rows;
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function measure(stage: Stage, engine: Engine, { quick, mostSeconds, say }: Setting): Promise<Row[]> {
  const database = new HostDatabase(stage.userFolder);
  const ours = await activeTrigger(stage, OUR_TRIGGER);
  ours.secret = database.endpoint(ours.id, TRIGGER).secret;
  const bare = await activeTrigger(stage, BARE_TRIGGER);

  await fire(database, ours, BURST, 50);
  const failed = BURST - (database.executions(ours.id).get('success') ?? 0);
  await fire(database, bare, BURST / 2, 50);
  database.fillEntries(ours.id, ENTRIES);

  const count = quick ? engine.events.quick : engine.events.all;
  const rows: Row[] = [];
  for (const width of WIDTHS) {
    say(`Expression engine ${engine.name}, ${width} events in flight ...`);
    const waits = { ours: new Array<number>(), other: new Array<number>() };
    const turn = async (target: Target, waited: number[], events = count): Promise<Turn> => {
      const { pid } = stage.n8n();
      const before = await cpuOf(pid);
      const value = await fire(database, target, events, width, waited);
      return { value, cpu: ((await cpuOf(pid)) - before) / events };
    };
    const measured = await interleaved(
      {
        ours: async () => await turn(ours, waits.ours),
        other: async () => await turn(bare, waits.other),
        ...(engine.isolates && { floor: async () => ({ value: await isolatesAlone(stage.host) }) }),
      },
      { fewestRounds: quick ? 2 : 5, mostSeconds, warmUp: false },
      judged,
    );
    // At each start all calls come at the same time, and the last of them wait the longest.
    if (!quick && width === Math.max(...WIDTHS)) {
      waits.ours = [];
      waits.other = [];
      await turn(ours, waits.ours, EVENTS);
      await turn(bare, waits.other, EVENTS);
    }
    if (database.entries(ours.id) < ENTRIES) throw new Error('The store of seen events is not full.');
    rows.push(row(engine, { width, measured, waits, failed }));
  }
  if (engine.catchesUp) rows.push(await catchUpRow(stage, database, { ours, bare }, engine, quick));
  await deactivate(stage.session, ours.id);
  await deactivate(stage.session, bare.id);
  return rows;
}

/** Catching up on what happened while n8n was off, beside what n8n then executes of a trigger that does nothing. */
async function catchUpRow(
  stage: Stage,
  database: HostDatabase,
  { ours, bare }: { ours: Target; bare: Target },
  { name, environment, events }: Engine,
  quick: boolean,
): Promise<Row> {
  const count = Math.min(quick ? events.quick : events.all, MOST_MISSED);
  const caught: Turn[] = [];
  const executed: Turn[] = [];
  while (caught.length < (quick ? 1 : CATCH_UPS)) {
    caught.push({ value: await catchUp(stage, database, ours, count, environment) });
    executed.push({ value: await fire(database, bare, count, Math.max(...WIDTHS)) });
  }
  const reached = median(ratios(caught, executed));
  return {
    work: `Catching up on ${count} events after n8n was off, ${name} expression engine`,
    ours: shown(caught, 'events/s', 1),
    other: `${shown(executed, 'events/s', 1)}, bare trigger while n8n is on; it misses the others`,
    floor: '–',
    ratio: `${shownRatio(caught, executed)} of what n8n executes`,
    target: `at least ${LEAST_CAUGHT_UP}`,
    met: reached >= LEAST_CAUGHT_UP,
  };
}

const judged = ({ ours, other }: Rounds) => ratios(ours, other);

/** Events a second that n8n's isolates alone let through. */
async function isolatesAlone({ node, n8n }: Host): Promise<number> {
  return Number(
    await run(node, [ISOLATES, n8n, String(ISOLATE_LANES)], {
      what: 'Making isolates',
      resolution: 'See what it reports.',
    }),
  );
}

interface Measured {
  width: number;
  measured: Rounds;
  /** Milliseconds that each call waited for its answer. */
  waits: { ours: number[]; other: number[] };
  /** Events of the first burst. */
  failed: number;
}

function row({ name, least }: Engine, { width, measured, waits, failed }: Measured): Row {
  const reached = median(judged(measured));
  const isWide = width === Math.max(...WIDTHS);
  const seconds = quantile(waits.ours, 0.99) / 1000;
  const within = (waited: number[]) =>
    isWide ? `; 99 % within ${(quantile(waited, 0.99) / 1000).toFixed(1)} s` : '';
  return {
    work: `Events, ${width} in flight, ${name} expression engine`,
    ours: shown(measured.ours, 'events/s'),
    other: `${shown(measured.other, 'events/s')}, bare trigger${within(waits.other)}`,
    floor: measured.floor ? `${shown(measured.floor, 'events/s')}, isolates alone` : '–',
    ratio: `${shownRatio(measured.ours, measured.other)}${within(waits.ours)}; ${failed} of the first burst in error`,
    target: `at least ${least}${isWide ? `; 99 % within ${MOST_SECONDS} s` : ''}; none in error`,
    met: reached >= least && failed === 0 && (!isWide || seconds < MOST_SECONDS),
  };
}
