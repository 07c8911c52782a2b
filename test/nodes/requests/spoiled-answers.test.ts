import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { runAction } from '../../support/action/action';
import { loadEngine, type NodeResult } from '../../support/engine';
import { everyOperation, freshPdf, type OperationRow } from '../../support/action/every-operation';
import { passTimeFaster } from '../../support/time/fast-time';
import { itemsWithFiles } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { concurrently } from '../../support/time/concurrency';
import { type Passed, type Spoiling, SPOILINGS, SpoilingProxy } from '../../support/proxies/spoiling-proxy';

const sandbox = useSandbox({ documents: 100, rateLimit: 'off' });

const ROWS = everyOperation(sandbox);

test('Every operation of the node is tried here', () => {
  const all = RESOURCES.flatMap(({ value, operations }) => operations.map((one) => `${value}:${one.value}`));
  expect([...new Set(ROWS.map(({ operation }) => operation))].sort()).toEqual(all.sort());
});

/** What is spoiled for an operation: without what the contract cannot tell from its answer. */
const spoilingsOf = ({ takesAnyObject, takesAnyAnswer, takesNothing }: OperationRow) =>
  Object.entries(SPOILINGS).filter(([name]) => {
    if (takesAnyObject) return name !== '{"status":"ok"}';
    const isNothing = ['an empty body', 'no content', '{}', '{"status":"ok"}'].includes(name);
    if (takesAnyAnswer) return !isNothing;
    // The agency's own answer to a removal has no body, so there is no half of it.
    return !(takesNothing && (isNothing || name.startsWith('half')));
  });

/** One run of an operation, of whose requests the first answers are spoiled in one way. */
interface Cell {
  row: OperationRow;
  times: number;
  answer: Spoiling['answer'];
}

interface Outcome extends NodeResult {
  address: string;
  passed: Passed[];
}

const cells: Array<Cell & { outcome?: Promise<Outcome> }> = [];
const cellOf = (row: OperationRow, times: number, answer: Spoiling['answer']) => {
  const cell: (typeof cells)[number] = { row, times, answer };
  cells.push(cell);
  return async () => {
    if (cell.outcome === undefined) throw new Error('This cell was not run.');
    return await cell.outcome;
  };
};

async function run({ row, times, answer }: Cell): Promise<Outcome> {
  const [resource, operation] = row.operation.split(':');
  const parameters = { resource, operation, ...(await row.parameters()) };
  const proxy = await SpoilingProxy.start(sandbox().url, { request: row.request, times, answer });
  const { address, passed } = proxy;
  const credential = { address, token: sandbox().keys.full };
  const input = itemsWithFiles({ files: { data: { bytes: freshPdf(), name: 'a.pdf' } } });
  const executionId = new URL(address).port;
  const result = await runAction(sandbox(), parameters, { credential, input, executionId });
  await proxy.close();
  return { ...result, address, passed };
}

beforeAll(async () => {
  await loadEngine();
  passTimeFaster(60);
  const runs = cells.map((cell) => async () => {
    cell.outcome = run(cell);
    await Promise.allSettled([cell.outcome]);
  });
  await concurrently(runs, 20);
}, 180_000);
afterAll(() => jest.restoreAllMocks());

/** Of the writes that got through, all but the first were repeats of it. */
function expectDoneOnce(passed: Passed[], request: RegExp): void {
  const done = passed.filter((one) => request.test(one.request) && !one.request.startsWith('GET'));
  expect(done.slice(1).filter(({ isReplay, status }) => !isReplay && status < 300)).toEqual([]);
}

describe.each(ROWS.map((row) => ({ row, title: `${row.operation}, ${row.request.source}` })))(
  '$title',
  ({ row }) => {
    for (const [name, answer] of spoilingsOf(row)) {
      const always = cellOf(row, Number.POSITIVE_INFINITY, answer);
      test(`always answered with ${name} is no success`, async () => {
        const { address, error, outputs, passed } = await always();
        expect(error?.message).toMatch(
          new RegExp(`${address}.*(not from the agency's API|could not be reached)`),
        );
        expect(outputs.flat()).toEqual([]);
        expectDoneOnce(passed, row.request);
      });

      const once = cellOf(row, 1, answer);
      test(`once answered with ${name} gives the record, and is done once`, async () => {
        const { error, outputs, passed } = await once();
        expect(error).toBeUndefined();
        expect(outputs[0]?.[0]?.json[row.identifies ?? 'id']).toEqual(expect.stringMatching(/./));
        expectDoneOnce(passed, row.request);
      });
    }
  },
);
