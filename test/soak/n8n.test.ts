import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onStage } from '../bench/host/stage';
import { nameOf } from '../nodes/items/hardship/uploads';
import { uploaded, uploadThroughKill } from './n8n/killed';
import { MemoryReport, MOST_GROWTH } from './n8n/memory';
import { siege, type SiegeResult } from './n8n/siege';

const MINUTE = 60_000;
const UPLOADS = 2000;
const GENUINE = 2000;
const HOSTILE = 20_000;

async function besieged(engine: Record<string, string>, part: number): Promise<SiegeResult> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-memory-'));
  try {
    const report = new MemoryReport(join(folder, 'memory.json'));
    const environment = { ...engine, ...report.environment };
    const options = { environment, sandboxArgs: ['--rate-limit', 'off'] };
    return await onStage(
      { say: () => undefined },
      options,
      async (stage) => await siege(stage, report, GENUINE / part, HOSTILE / part),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

function expectHeld({ wrong, foreign, taken, refused, memory }: SiegeResult): void {
  console.log(`n8n's memory in MB: ${JSON.stringify(memory)}`);
  expect({ wrong, foreign, taken, refused }).toEqual({ wrong: [], foreign: [], taken: [], refused: [] });
  const [first = 0, second = 0, third = Number.NaN] = memory.map(({ held }) => held);
  expect(third).toBeLessThan(Math.max(first, second) * MOST_GROWTH);
}

describe('a real n8n', () => {
  it(
    'files each of 2,000 documents once when it is killed in the middle and the execution is retried',
    async () => {
      const killed = await uploadThroughKill(UPLOADS);
      console.log(`${killed.atKill} documents were there when n8n was killed`);
      expect(killed.retried.error).toBeUndefined();
      const names = Array.from({ length: UPLOADS }, (_, index) => nameOf(index));
      expect([...killed.documents.keys()].sort()).toEqual([...names].sort());
      expect([...killed.documents.values()].filter((ids) => ids.length !== 1)).toEqual([]);
      const made = uploaded(killed);
      expect(made).toHaveLength(UPLOADS);
      expect(made.filter(([name, id]) => killed.documents.get(String(name))?.[0] !== id)).toEqual([]);
    },
    40 * MINUTE,
  );

  it(
    'runs each of 2,000 events once among 20,000 hostile calls, with the legacy expression engine',
    async () => expectHeld(await besieged({ N8N_EXPRESSION_ENGINE: 'legacy' }, 1)),
    40 * MINUTE,
  );

  it(
    'runs each of 500 events once among 5,000 hostile calls, with its own expression engine',
    async () => expectHeld(await besieged({}, 4)),
    40 * MINUTE,
  );
});
