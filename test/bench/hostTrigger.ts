import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage } from '../../tools/n8n/package';
import type { Stage } from '../../tools/n8n/stage';
import { BARE_TRIGGER, packBareTrigger } from './host/barePackage';
import { fire } from './host/fire';
import { activeTrigger, OUR_TRIGGER, TRIGGER } from './host/target';
import { HostDatabase } from './host/database';
import { onStage } from './host/stage';
import { type Rounds, interleaved, quantile, ratio, shown } from './measure';
import type { Bench, Row, Setting } from './table';

const EVENTS = 2000;
const WIDTHS = [10, 50];
const ENTRIES = 10_000;
const BURST = 100;
const MOST_SECONDS = 6;

interface Engine {
  name: string;
  environment: Record<string, string>;
  least: number;
}

/** The settings of n8n's expression engine, and how many of a bare trigger's events each is to reach. */
const ENGINES: Engine[] = [
  { name: 'default', environment: {}, least: 0.9 },
  { name: 'lazy', environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }, least: 0.6 },
  { name: 'legacy', environment: { N8N_EXPRESSION_ENGINE: 'legacy' }, least: 0.6 },
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

async function measure(stage: Stage, { name, least }: Engine, { rounds, say }: Setting): Promise<Row[]> {
  const database = new HostDatabase(stage.userFolder);
  const ours = await activeTrigger(stage, OUR_TRIGGER);
  ours.secret = database.secret(ours.id, TRIGGER);
  const bare = await activeTrigger(stage, BARE_TRIGGER);

  await fire(database, ours, BURST, 50);
  const failed = BURST - (database.executions(ours.id).get('success') ?? 0);
  database.fillEntries(ours.id, ENTRIES);

  const rows: Row[] = [];
  for (const width of WIDTHS) {
    say(`Expression engine ${name}, ${width} events in flight ...`);
    const waits = { ours: new Array<number>(), other: new Array<number>() };
    const count = Math.ceil(EVENTS / rounds);
    const measured = await interleaved(
      {
        ours: async () => await fire(database, ours, count, width, waits.ours),
        other: async () => await fire(database, bare, count, width, waits.other),
      },
      rounds,
    );
    if (database.entries(ours.id) < ENTRIES) throw new Error('The store of seen events is not full.');
    const late = { ours: secondsOf(waits.ours), other: secondsOf(waits.other) };
    rows.push(row(name, least, width, measured, late, failed));
  }
  return rows;
}

/** Within how many seconds 99 of 100 calls were answered. */
const secondsOf = (waits: number[]): number => quantile(waits, 0.99) / 1000;

function row(
  engine: string,
  least: number,
  width: number,
  measured: Rounds,
  late: { ours: number; other: number },
  failed: number,
): Row {
  const reached = ratio(measured.ours, measured.other);
  const isLate = width === Math.max(...WIDTHS);
  return {
    work: `${EVENTS} events, ${width} in flight, ${engine} expression engine`,
    ours: shown(measured.ours, 'events/s'),
    other: `${shown(measured.other, 'events/s')}, bare trigger; 99 % within ${late.other.toFixed(1)} s`,
    floor: '–',
    ratio: `${reached.toFixed(2)}; 99 % within ${late.ours.toFixed(1)} s; ${failed} of the first burst in error`,
    target: `at least ${least}${isLate ? `; 99 % within ${MOST_SECONDS} s` : ''}; none in error`,
    met: reached >= least && failed === 0 && (!isLate || late.ours < MOST_SECONDS),
  };
}
