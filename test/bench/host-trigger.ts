import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../tools/n8n/install';
import { installPackage } from '../../tools/n8n/package';
import { run } from '../../tools/n8n/processes/process';
import type { Stage } from '../../tools/n8n/stage';
import { BARE_TRIGGER, packBareTrigger } from './host/bare-package';
import { fire } from './host/fire';
import { activeTrigger, OUR_TRIGGER, type Target, TRIGGER } from './host/target';
import { HostDatabase } from './host/database';
import { onStage } from './host/stage';
import { type Rounds, interleaved, quantile, ratio, shown } from './measure';
import type { Bench, Row, Setting } from './table';

const EVENTS = 2000;
const WIDTHS = [10, 50];
const ENTRIES = 10_000;
const BURST = 100;
const MOST_SECONDS = 6;
const ISOLATES = join(__dirname, 'host/isolates.mjs');

interface Engine {
  name: string;
  environment: Record<string, string>;
  least: number;
  /** Whether it makes isolates for every event. */
  isolates: boolean;
}

/** Within how many seconds 99 of 100 calls are answered. */
interface Late {
  ours: number;
  other: number;
}

/** The settings of n8n's expression engine, and how many of a bare trigger's events each is to reach. */
const ENGINES: Engine[] = [
  { name: 'default', environment: {}, least: 0.9, isolates: true },
  {
    name: 'lazy',
    environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
    least: 0.6,
    isolates: false,
  },
  { name: 'legacy', environment: { N8N_EXPRESSION_ENGINE: 'legacy' }, least: 0.6, isolates: false },
];

/** Events a second of the trigger in a real n8n, beside a trigger that checks nothing. */
export const hostTrigger: Bench = {
  name: 'n8n-trigger',
  async run(setting) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-bare-'));
    try {
      const bare = await packBareTrigger(folder);
      const rows: Row[] = [];
      for (const engine of ENGINES) {
        rows.push(
          ...(await onStage(
            setting,
            { environment: engine.environment, sandboxArgs: ['--rate-limit', 'off'] },
            async (stage) => {
              await installPackage(bare, stage.userFolder);
              await stage.restart('stop');
              return await measure(stage, engine, setting);
            },
          )),
        );
      }
      return rows;
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function measure(stage: Stage, engine: Engine, { rounds, say }: Setting): Promise<Row[]> {
  const database = new HostDatabase(stage.userFolder);
  const ours = await activeTrigger(stage, OUR_TRIGGER);
  ours.secret = database.endpoint(ours.id, TRIGGER).secret;
  const bare = await activeTrigger(stage, BARE_TRIGGER);

  await fire(database, ours, BURST, 50);
  const failed = BURST - (database.executions(ours.id).get('success') ?? 0);
  database.fillEntries(ours.id, ENTRIES);

  const rows: Row[] = [];
  for (const width of WIDTHS) {
    say(`Expression engine ${engine.name}, ${width} events in flight ...`);
    const count = Math.ceil(EVENTS / rounds);
    const measured = await interleaved(
      {
        ours: async () => await fire(database, ours, count, width),
        other: async () => await fire(database, bare, count, width),
        ...(engine.isolates && { floor: async () => await isolatesAlone(stage.host, width) }),
      },
      rounds,
    );
    const late: Late | undefined =
      width === Math.max(...WIDTHS)
        ? { ours: await lateness(database, ours, width), other: await lateness(database, bare, width) }
        : undefined;
    if (database.entries(ours.id) < ENTRIES) throw new Error('The store of seen events is not full.');
    rows.push(row(engine, width, measured, late, failed));
  }
  return rows;
}

/**
 * Within how many seconds 99 of 100 calls are answered, when all events are sent in one go: at each start all calls
 * come at the same time, and the last of them wait the longest.
 */
async function lateness(database: HostDatabase, target: Target, width: number): Promise<number> {
  const waits: number[] = [];
  await fire(database, target, EVENTS, width, waits);
  return quantile(waits, 0.99) / 1000;
}

/** Events a second that n8n's isolates alone let through. */
async function isolatesAlone({ node, n8n }: Host, width: number): Promise<number> {
  return Number(
    await run(node, [ISOLATES, n8n, String(width)], {
      what: 'Making isolates',
      resolution: 'Look at what it says.',
    }),
  );
}

function row(
  { name, least }: Engine,
  width: number,
  measured: Rounds,
  late: Late | undefined,
  failed: number,
): Row {
  const reached = ratio(measured.ours, measured.other);
  const within = (seconds: number | undefined) =>
    seconds === undefined ? '' : `; 99 % within ${seconds.toFixed(1)} s`;
  return {
    work: `${EVENTS} events, ${width} in flight, ${name} expression engine`,
    ours: shown(measured.ours, 'events/s'),
    other: `${shown(measured.other, 'events/s')}, bare trigger${within(late?.other)}`,
    floor: measured.floor ? `${shown(measured.floor, 'events/s')}, isolates alone` : '–',
    ratio: `${reached.toFixed(2)}${within(late?.ours)}; ${failed} of the first burst in error`,
    target: `at least ${least}${late ? `; 99 % within ${MOST_SECONDS} s` : ''}; none in error`,
    met: reached >= least && failed === 0 && (late === undefined || late.ours < MOST_SECONDS),
  };
}
