import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureHost } from '../../tools/n8n/install';
import { stopAll } from '../../tools/n8n/processes/process';
import { type Outcome, type Program, runProgram } from '../../tools/n8n/processes/program';
import { lists } from './lists';
import { uploads } from './uploads';
import { verify } from './verify';
import { packed } from './package';
import { memory } from './memory';
import { rate } from './rate';
import { large } from './large';
import { trigger } from './trigger';
import { hostCalls } from './host-calls';
import { hostTrigger } from './host-trigger';
import { type Load, Machine, verdict } from './measuring/machine';
import { type Bench, type Row, type Setting, table } from './measuring/table';

const BENCHES: Bench[] = [
  lists,
  uploads,
  verify,
  packed,
  memory,
  large,
  trigger,
  rate,
  hostCalls,
  hostTrigger,
];
const SETTINGS: Record<'quick' | 'full', Omit<Setting, 'say'>> = {
  quick: { quick: true, fewestRounds: 3, mostSeconds: 5 },
  full: { quick: false, fewestRounds: 5, mostSeconds: 60 },
};
const PAGE = join(__dirname, '../../docs/performance.md');
/** What stands between these in the page is the results. */
const [BEGIN, END] = ['<!-- results -->', '<!-- end of results -->'];

/** Measures what was chosen and prints its table; the exit code says whether every target was met. */
async function bench({ undo }: Program): Promise<Outcome> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const chosen = BENCHES.filter(({ name }) => values.only?.includes(name) ?? true);
  if (chosen.length === 0) {
    console.error(`--only takes one of: ${BENCHES.map(({ name }) => name).join(', ')}`);
    return { exitCode: 2, stays: false };
  }
  if (values.write && chosen.length < BENCHES.length) {
    console.error('--write replaces all results, so it cannot go with --only.');
    return { exitCode: 2, stays: false };
  }
  // One folder for all that is written, so that Ctrl-C leaves nothing.
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  process.env.TMPDIR = folder;
  undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }), stopAll);
  // The HTTP Request node, which ours is measured beside, is that of an installed n8n.
  await ensureHost('2.41.1', (line) => console.error(line));
  const setting = {
    ...SETTINGS[values.quick ? 'quick' : 'full'],
    say: (line: string) => console.error(line),
  };
  const { rows, loads } = await measure(chosen, setting);
  const results = `${table(rows)}\n\n${verdict(loads)}`;
  console.log(results);
  if (values.write) await writeResults(results);
  return { exitCode: rows.every(({ met }) => met) ? 0 : 1, stays: false };
}

async function measure(chosen: Bench[], setting: Setting): Promise<{ rows: Row[]; loads: Load[] }> {
  const rows: Row[] = [];
  const loads: Load[] = [];
  let waiting: Promise<Row[]> | undefined;
  for (const { name, run } of chosen) {
    // In a hurry, what does little but wait for the rate limit does so beside what runs in processes of its own.
    if (setting.quick && name === memory.name && chosen.includes(rate)) {
      waiting = rate.run(setting);
      waiting.catch(() => undefined);
    }
    setting.say(`Measuring: ${name} ...`);
    const started = performance.now();
    const machine = await Machine.watch();
    const measured = await (name === rate.name && waiting !== undefined ? waiting : run(setting));
    loads.push({ name, others: await machine.takenByOthers() });
    rows.push(...measured);
    const seconds = Math.round((performance.now() - started) / 1000);
    setting.say(`${table(measured)}\n${seconds} s. ${verdict(loads.slice(-1))}`);
  }
  return { rows, loads };
}

async function writeResults(results: string): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${PAGE} has no place for the results.`);
  await writeFile(PAGE, `${page.slice(0, before)}${BEGIN}\n\n${results}\n\n${page.slice(after)}`);
}

void runProgram(bench, console.error);
