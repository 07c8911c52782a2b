import { mkdtemp, rm } from 'node:fs/promises';
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
import { hostCalls } from './host-calls';
import { hostTrigger } from './host-trigger';
import { type Bench, type Row, table } from './table';

const BENCHES: Bench[] = [lists, uploads, verify, packed, memory, rate, hostCalls, hostTrigger];
const FEWEST_ROUNDS = 5;

/** Measures what was chosen and prints its table; the exit code says whether every target was met. */
async function bench({ undo }: Program): Promise<Outcome> {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, rounds: { type: 'string' } },
  });
  const chosen = BENCHES.filter(({ name }) => values.only?.includes(name) ?? true);
  if (chosen.length === 0) {
    console.error(`--only takes one of: ${BENCHES.map(({ name }) => name).join(', ')}`);
    return { exitCode: 2, stays: false };
  }
  // One folder for all that is written, so that Ctrl-C leaves nothing.
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  process.env.TMPDIR = folder;
  undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }), stopAll);
  // The HTTP Request node, which ours is measured beside, is that of an installed n8n.
  await ensureHost('2.41.1', (line) => console.error(line));
  const rounds = Number(values.rounds ?? FEWEST_ROUNDS);
  const rows: Row[] = [];
  for (const { name, run } of chosen) {
    console.error(`Measuring: ${name} ...`);
    const measured = await run({ rounds, say: (line) => console.error(line) });
    rows.push(...measured);
    console.error(table(measured));
  }
  console.log(table(rows));
  return { exitCode: rows.every(({ met }) => met) ? 0 : 1, stays: false };
}

void runProgram(bench);
