import { runAction } from '../../support/action/action';
import { everyOperation, freshPdf } from '../../support/action/every-operation';
import { itemsWithFiles } from '../../support/action/files';
import { loadEngine } from '../../support/engine';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 20, rateLimit: 'off' });
beforeAll(async () => {
  await loadEngine();
});

const circle: Record<string, unknown> = {};
circle.itself = circle;
const failing = { toJSON: () => Number.NaN.toFixed(-1) };

/** Data that nodes with code of their own can hand on, of which there is no JSON. */
const BEYOND: Array<[string, object]> = [
  ['an object that contains itself', { circle }],
  ['an object that fails to be written', { failing }],
];

describe.each(everyOperation(sandbox))('$operation', ({ operation: name, parameters }) => {
  test.each(BEYOND)('reads with %s in its item, or says so without writing anything', async (_, json) => {
    const [resource, operation] = name.split(':');
    const fields = await parameters();
    const before = (await sandbox().requests()).length;
    const input = itemsWithFiles({
      json: Object(json),
      files: { data: { bytes: freshPdf(), name: 'a.pdf' } },
    });
    const { outputs, error } = await runAction(sandbox(), { resource, operation, ...fields }, { input });
    const writes = (await sandbox().requests()).slice(before).filter(({ method }) => method !== 'GET');
    if (error === undefined) expect([outputs[0]?.length, writes]).toEqual([expect.any(Number), []]);
    else
      expect(error.message).toMatch(
        /^The input item contains data that cannot be written as JSON, .*\[item 0\]$/,
      );
    expect(writes).toEqual([]);
  });
});
