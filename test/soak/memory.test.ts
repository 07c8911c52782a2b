import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage } from '../../tools/n8n/package';
import { BARE_TRIGGER, packBareTrigger } from '../bench/host/bare-package';
import { HostDatabase } from '../bench/host/database';
import { fire } from '../bench/host/fire';
import { onStage } from '../bench/host/stage';
import { activeTrigger, OUR_TRIGGER, TRIGGER } from '../bench/host/target';
import { type Memory, MemoryReport, MOST_GROWTH } from './n8n/memory';

const MINUTE = 60_000;
/** Events of each trigger; fewer for a short run. */
const EVENTS = Number(process.env.SOAK_EVENTS ?? 20_000);
const PARTS = 4;
const WIDTH = 10;
/** How much more n8n may hold with our trigger: above all the package itself, and what it remembers of events. */
const MOST_MORE_MB = 40;

/** Runs events, and gives n8n's memory after each part of them. */
async function memoryWith(type: string): Promise<Memory[]> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-memory-'));
  try {
    const report = new MemoryReport(join(folder, 'memory.json'));
    const bare = await packBareTrigger(folder);
    const options = { environment: report.environment, sandboxArgs: ['--rate-limit', 'off'] };
    return await onStage({ say: () => undefined }, options, async (stage) => {
      await installPackage(bare, stage.userFolder);
      await stage.restart('stop');
      const target = await activeTrigger(stage, type);
      const database = new HostDatabase(stage.userFolder);
      if (type === OUR_TRIGGER) target.secret = database.endpoint(target.id, TRIGGER).secret;
      const memory: Memory[] = [];
      for (let part = 0; part < PARTS; part += 1) {
        await fire(database, target, EVENTS / PARTS, WIDTH);
        memory.push(await report.of(stage.n8n().pid));
      }
      return memory;
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

it(
  `n8n holds little more memory over ${EVENTS} events than with a bare trigger, with its own expression engine`,
  async () => {
    const bare = await memoryWith(BARE_TRIGGER);
    console.log(`Bare trigger, MB: ${JSON.stringify(bare)}`);
    const ours = await memoryWith(OUR_TRIGGER);
    console.log(`Our trigger, MB: ${JSON.stringify(ours)}`);
    const last = (memory: Memory[]) => memory.at(-1)?.held ?? Number.NaN;
    expect(last(ours)).toBeLessThan((ours[0]?.held ?? 0) * MOST_GROWTH);
    expect(last(ours)).toBeLessThan(last(bare) + MOST_MORE_MB);
  },
  180 * MINUTE,
);
