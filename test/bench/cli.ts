import { parseArgs } from 'node:util';
import { ensureHost } from '../../tools/n8n/install';
import { stopAll } from '../../tools/n8n/process';
import { lists } from './lists';
import { uploads } from './uploads';
import { verify } from './verify';
import { packed } from './package';
import { memory } from './memory';
import { rate } from './rate';
import { hostCalls } from './hostCalls';
import { hostTrigger } from './hostTrigger';
import { type Bench, type Row, table } from './table';

const BENCHES: Bench[] = [lists, uploads, verify, packed, memory, rate, hostCalls, hostTrigger];
const FEWEST_ROUNDS = 5;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, rounds: { type: 'string' } },
  });
  const chosen = BENCHES.filter(({ name }) => values.only?.includes(name) ?? true);
  if (chosen.length === 0) {
    console.error(`--only takes one of: ${BENCHES.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  // The HTTP Request node, which ours is measured beside, is that of an installed n8n.
  await ensureHost('2.41.1', (line) => console.error(line));
  const rounds = Number(values.rounds ?? FEWEST_ROUNDS);
  const rows: Row[] = [];
  for (const bench of chosen) {
    console.error(`Measuring: ${bench.name} ...`);
    const measured = await bench.run({ rounds, say: (line) => console.error(line) });
    rows.push(...measured);
    console.error(table(measured));
  }
  console.log(table(rows));
  return rows.every(({ met }) => met) ? 0 : 1;
}

void main()
  .finally(stopAll)
  .then((code) => process.exit(code));
