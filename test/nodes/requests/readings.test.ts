import type { INodeParameters } from 'n8n-workflow';
import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { jsonOf, runAction } from '../../support/action/action';
import { companyById } from '../../support/action/company';
import { loadEngine } from '../../support/engine';
import { everyOperation, freshPdf, type OperationRow } from '../../support/action/every-operation';
import { concurrently } from '../../support/time/concurrency';
import { passTimeFaster } from '../../support/time/fast-time';
import { itemsWithFiles } from '../../support/action/files';
import { type Reading, refusal, useReadingProxy, withJson } from '../../support/proxies/reading-proxy';
import { LIST_READINGS, READINGS } from '../../support/proxies/readings';
import { useSandbox } from '../../support/sandbox/sandbox';
import { exportedSettings } from '../../support/action/settings';

const sandbox = useSandbox({ documents: 30, rateLimit: 'off' });
const proxy = useReadingProxy(() => sandbox().url);

beforeAll(async () => {
  await loadEngine();
  passTimeFaster(300);
});
afterAll(() => jest.restoreAllMocks());

interface Row extends Pick<OperationRow, 'operation' | 'parameters' | 'identifies'> {
  /** How many items come out. */
  items: number;
}

/** Uses of operations whose requests depend on earlier answers. */
const DEPENDENT: Row[] = [
  {
    operation: 'company:getAll',
    parameters: async () => ({ returnAll: false, limit: 250, output: 'all' }),
    items: 250,
  },
  {
    operation: 'event:getAll',
    parameters: async () => ({ returnAll: false, limit: 250 }),
    items: 250,
  },
  {
    operation: 'event:getAll',
    parameters: async () => ({ returnAll: true, outputCursor: true }),
    identifies: 'nextCursor',
    items: 1,
  },
  {
    operation: 'companySettings:update',
    parameters: async () => ({
      companyId: companyById((await exportedSettings(sandbox())).companyId),
      accountingPolicy: { warehouse: { required: 'true', automatic: 'keep', defaultValue: 'keep' } },
    }),
    identifies: 'companyId',
    items: 1,
  },
];

/** Every operation, simplified and with all fields where it has that choice. */
function rows(): Row[] {
  const hasOutput = (operation: string) =>
    RESOURCES.some(({ value, operations }) =>
      operations.some(
        (one) => `${value}:${one.value}` === operation && one.fields.some(({ name }) => name === 'output'),
      ),
    );
  const all = everyOperation(sandbox).flatMap((row) =>
    (hasOutput(row.operation) ? ['simplified', 'all'] : [undefined]).map((output) => ({
      ...row,
      parameters: async () => ({ ...(await row.parameters()), ...(output !== undefined && { output }) }),
      items: /:get(All|Companies|Obligations)$/.test(row.operation) ? 3 : 1,
    })),
  );
  return [...all, ...DEPENDENT];
}

/** Parameters with the IDs as an agency writes them. */
function withIds(parameters: INodeParameters, write: (id: string) => string): INodeParameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      if (!name.endsWith('Id')) return [name, value];
      return [
        name,
        typeof value === 'string' ? write(value) : companyById(write(String(Object(value).value))),
      ];
    }),
  );
}

/** What came of an operation, in a word. */
async function outcome(row: Row, reading: Reading, index: number): Promise<string> {
  const [resource, operation] = row.operation.split(':');
  const parameters = withIds(await row.parameters(), reading.writeId ?? ((id) => id));
  const { error, outputs } = await runAction(
    sandbox(),
    { resource, operation, ...parameters },
    {
      credential: { address: proxy.address(), token: sandbox().keys.full },
      executionId: `${index}`,
      input: itemsWithFiles({ files: { data: { bytes: freshPdf(), name: 'a.pdf' } } }),
    },
  );
  if (error !== undefined) return error.message;
  const name = row.identifies ?? 'id';
  const id = outputs[0]?.[0]?.json[name];
  return typeof id === 'string' && id !== '' ? `${outputs[0]?.length} items` : `no ${name}`;
}

async function expectAllDone(all: Row[], reading: Reading): Promise<void> {
  proxy.read(reading);
  const outcomes: string[] = [];
  const runs = all.map(({ operation, ...row }, index) => async () => {
    outcomes[index] = `${operation}: ${await outcome({ operation, ...row }, reading, index)}`;
  });
  await concurrently(runs, 8);
  expect(outcomes).toEqual(all.map(({ operation, items }) => `${operation}: ${items} items`));
}

describe('Every operation does its work with an agency where', () => {
  test.each(Object.entries(READINGS))('%s', async (_, reading) => {
    await expectAllDone(rows(), reading);
  });
});

describe('Every list is read with an agency where', () => {
  test.each(Object.entries(LIST_READINGS))('%s', async (_, reading) => {
    await expectAllDone(
      rows().filter(({ operation }) => /:get(All|Companies|Obligations)$/.test(operation)),
      reading,
    );
  });
});

test('a feed of pages without events whose cursor always moves is said, or gives its position', async () => {
  let pages = 0;
  proxy.read({
    asked: () => withJson({ ...refusal(200, ''), status: 200 }, { data: [], nextCursor: `c${(pages += 1)}` }),
  });
  const credential = { address: proxy.address(), token: sandbox().keys.full };
  const read = async (outputCursor: boolean) =>
    await runAction(
      sandbox(),
      { resource: 'event', operation: 'getAll', returnAll: true, outputCursor },
      { credential },
    );
  const { error } = await read(false);
  expect(error?.message).toMatch(/page after page without events/);
  expect(error?.description).toContain('Return Position for Next Run');
  pages = 0;
  expect(jsonOf(await read(true))).toEqual([{ events: [], nextCursor: `c${pages}` }]);
  expect(pages).toBe(51);
});
