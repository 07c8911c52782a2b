import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { runAction } from '../../support/action';
import { loadEngine } from '../../support/engine';
import { everyOperation, freshPdf, type OperationRow } from '../../support/every-operation';
import { passTimeFaster } from '../../support/fast-time';
import { itemsWithFiles } from '../../support/files';
import { useSandbox } from '../../support/sandbox';
import { SPOILINGS, useSpoilingProxy } from '../../support/spoiling-proxy';

const sandbox = useSandbox({ documents: 30, rateLimit: 'off' });
const proxy = useSpoilingProxy(() => sandbox().url);

beforeAll(async () => {
  await loadEngine();
  passTimeFaster(300);
});
afterAll(() => jest.restoreAllMocks());

const ROWS = everyOperation(sandbox);

test('Every operation of the node is tried here', () => {
  const all = RESOURCES.flatMap(({ value, operations }) => operations.map((one) => `${value}:${one.value}`));
  expect([...new Set(ROWS.map(({ operation }) => operation))].sort()).toEqual(all.sort());
});

/** What is spoiled for an operation: without what the contract cannot tell from its answer. */
const spoilingsOf = ({ takesAnyObject, takesNothing }: OperationRow) =>
  Object.entries(SPOILINGS).filter(([name]) => {
    if (takesAnyObject) return name !== '{"status":"ok"}';
    const isNothing = ['an empty body', 'no content', '{}', '{"status":"ok"}'].includes(name);
    // The agency's own answer to a removal has no body, so there is no half of it.
    return !(takesNothing && (isNothing || name.startsWith('half')));
  });

async function run({ operation, parameters }: OperationRow) {
  const [resource, name] = operation.split(':');
  return await runAction(
    sandbox(),
    { resource, operation: name, ...(await parameters()) },
    {
      credential: { address: proxy.address(), token: sandbox().keys.full },
      input: itemsWithFiles({ files: { data: { bytes: freshPdf(), name: 'a.pdf' } } }),
    },
  );
}

/** Of the writes that got through, all but the first were repeats of it. */
function expectDoneOnce(request: RegExp): void {
  const done = proxy.passed().filter((one) => request.test(one.request) && !one.request.startsWith('GET'));
  expect(done.slice(1).filter(({ isReplay, status }) => !isReplay && status < 300)).toEqual([]);
}

describe.each(ROWS.map((row) => ({ ...row, title: `${row.operation}, ${row.request.source}` })))(
  '$title',
  (row) => {
    test.each(spoilingsOf(row))('always answered with %s is no success', async (_, answer) => {
      proxy.spoil({ request: row.request, times: Number.POSITIVE_INFINITY, answer });
      const { error, outputs } = await run(row);
      expect(error?.message).toMatch(
        new RegExp(`${proxy.address()}.*(not from the agency's API|could not be reached)`),
      );
      expect(outputs.flat()).toEqual([]);
      expectDoneOnce(row.request);
    });

    test('once answered with each of them gives the record, and is done once', async () => {
      for (const [name, answer] of spoilingsOf(row)) {
        proxy.spoil({ request: row.request, times: 1, answer });
        const { error, outputs } = await run(row);
        expect([name, error]).toEqual([name, undefined]);
        const [item] = outputs[0] ?? [];
        expect([name, item?.json[row.identifies ?? 'id']]).toEqual([name, expect.stringMatching(/./)]);
        expectDoneOnce(row.request);
      }
    });
  },
);
