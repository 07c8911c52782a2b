import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onChange } from '../../../tools/dev/watch';
import { until } from '../../support/time/until';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'agency-watch-'));
  mkdirSync(join(root, 'nodes/deep/inside'), { recursive: true });
  mkdirSync(join(root, 'other'));
});

afterEach(() => rmSync(root, { recursive: true }));

const save = (file: string) => writeFileSync(join(root, file), String(Math.random()));

test('many changes at once, however deep, lead to one call; other folders to none', async () => {
  let calls = 0;
  const stop = await onChange([join(root, 'nodes')], async () => {
    calls += 1;
  });
  for (const file of ['nodes/a.ts', 'nodes/deep/b.ts', 'nodes/deep/inside/c.ts']) save(file);
  await until('the call after the changes', () => calls === 1);
  save('other/d.ts');
  await sleep(500);
  expect(calls).toBe(1);
  save('nodes/a.ts');
  await until('the call after another change of a file', () => calls === 2);
  await stop();
});

test('a change during a call leads to one more, after it', async () => {
  const order: string[] = [];
  let finish: () => void = () => undefined;
  const stop = await onChange([join(root, 'nodes')], async () => {
    order.push('begin');
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    order.push('end');
  });
  save('nodes/a.ts');
  await until('the first call', () => order.length === 1);
  save('nodes/b.ts');
  await sleep(500);
  expect(order).toEqual(['begin']);
  finish();
  await until('the second call', () => order.length === 3);
  expect(order).toEqual(['begin', 'end', 'begin']);
  finish();
  await stop();
  expect(order).toEqual(['begin', 'end', 'begin', 'end']);
});
