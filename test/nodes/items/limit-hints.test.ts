import type { INodeParameters } from 'n8n-workflow';
import { runAction } from '../../support/action/action';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 3, rateLimit: 'off' });

const HINT = 'There are more results. To get them, turn on Return All or raise Limit.';

const documents = (limit: number | string): INodeParameters => ({
  resource: 'document',
  operation: 'getAll',
  returnAll: false,
  limit,
});
const obligations = (more: INodeParameters): INodeParameters => ({
  resource: 'monthEndWork',
  operation: 'getObligations',
  period: 'other',
  month: sandbox().period,
  ...more,
});

const run = async (parameters: INodeParameters, items = 1) => {
  const { outputs, hints } = await runAction(sandbox(), parameters, {
    input: Array.from({ length: items }, () => ({ json: {} })),
  });
  return { rows: outputs.flat().length, hints };
};

test('a list that has more than its limit says so, once for all items', async () => {
  expect(await run(documents(2), 3)).toEqual({ rows: 6, hints: [HINT] });
});

test('of a single item the hint is left to n8n, but for a limit that it cannot read', async () => {
  expect(await run(documents(2))).toEqual({ rows: 2, hints: [] });
  expect(await run(documents('={{ 2 }}'))).toEqual({ rows: 2, hints: [HINT] });
});

test.each([3, 4])('a list that ends by itself at or before the limit of %i says nothing', async (limit) => {
  expect(await run(documents(limit), 2)).toEqual({ rows: 6, hints: [] });
});

test('obligations over the limit within a company are told too', async () => {
  const all = await run(obligations({ returnAll: true }));
  expect(all.hints).toEqual([]);
  const cut = await run(obligations({ limit: all.rows - 1 }), 2);
  expect(cut).toEqual({ rows: 2 * (all.rows - 1), hints: [HINT] });
  expect(await run(obligations({ limit: all.rows }), 2)).toEqual({ rows: 2 * all.rows, hints: [] });
});
